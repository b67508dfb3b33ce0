import { setTimeout as sleep } from 'node:timers/promises'
import { countResults, isSuccess, type Traffic } from './traffic.ts'
import type { World } from './world.ts'

export interface Kill {
  readonly service: string
  /** Such as `503 × 4`. Empty if no request failed. */
  readonly failures: string
  /** From the kill to the end of the last failed request. Null if no request failed. */
  readonly failingSeconds: number | null
  /** The slowest answer between the kill and the recovery. */
  readonly slowestSeconds: number
}

/** As long as the engine takes to restart a container that crashed. */
const downMs = 2_000
const recoveryMs = 120_000

/**
 * Kills the first container of a service with SIGKILL and starts it again, while customers work.
 * `docker kill` alone leaves the container down, because the engine takes it for a stop.
 * @throws if the product does not recover, or answers 500
 */
export async function killOnce(world: World, traffic: Traffic, service: string): Promise<Kill> {
  const [container] = await world.containersOf(service)
  if (container === undefined) throw new Error(`The service ${service} has no container.`)
  const from = traffic.outcomes.length
  const killedAt = performance.now()
  await world.docker('kill', '--signal', 'KILL', container)
  await sleep(downMs)
  await world.docker('start', container)
  await untilHealthy(world, container)
  await traffic.recovered(recoveryMs)

  const outcomes = traffic.outcomes.slice(from)
  const failures = outcomes.filter((outcome) => !isSuccess(outcome))
  if (failures.some(({ result }) => result === 500))
    throw new Error(`After the kill of ${service}, a request was answered with 500.`)
  const lastFailure = failures.at(-1)
  return {
    service,
    failures: countResults(failures),
    failingSeconds: lastFailure === undefined ? null : (lastFailure.endedAt - killedAt) / 1_000,
    slowestSeconds: Math.max(...outcomes.map(({ tookMs }) => tookMs)) / 1_000,
  }
}

/** A table for docs/deployment.md. */
export function tableOf(kills: readonly Kill[]): string {
  const rows = kills.map(({ service, failures, failingSeconds, slowestSeconds }) => {
    const until = failingSeconds === null ? '' : `${failingSeconds.toFixed(1)} s`
    return `| \`${service}\` | ${failures || 'none'} | ${until} | ${slowestSeconds.toFixed(1)} s |`
  })
  return [
    '| killed | failures | until | slowest answer |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}

export async function untilHealthy(world: World, container: string): Promise<void> {
  const until = performance.now() + recoveryMs
  for (;;) {
    const health = await world.docker('inspect', '--format', '{{.State.Health.Status}}', container)
    if (health === 'healthy') return
    if (performance.now() > until)
      throw new Error(`The container ${container} is ${health} after ${recoveryMs / 1_000} s.`)
    await sleep(250)
  }
}
