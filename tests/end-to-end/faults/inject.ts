import { setTimeout as sleep } from 'node:timers/promises'
import { refuseWrites } from '../../support/postgres/refuse-writes.ts'
import type { Fault } from './fault.ts'
import type { World } from './world.ts'

/** Faults of one part follow one another. */
export function partOf(fault: Fault): string {
  switch (fault.kind) {
    case 'kill-product':
    case 'jump-clock':
      return `product ${fault.process}`
    case 'kill-database':
    case 'refuse-writes':
      return 'database'
    case 'cut-database':
    case 'freeze-database':
      return 'link to the database'
    case 'kill-provider':
    case 'freeze-provider':
      return 'provider'
    case 'fail-provider-calls':
    case 'disturb-webhooks':
      return 'faults of the provider'
    case 'refuse-mails':
    case 'cut-mails':
      return 'link to the mail server'
    default:
      return fault satisfies never
  }
}

/** Starts a fault. Resolves when it has ended and the part works again. */
export async function inject(fault: Fault, world: World): Promise<void> {
  switch (fault.kind) {
    case 'kill-product': {
      const product = world.products[fault.process]
      product?.kill('SIGKILL')
      return
    }
    case 'kill-database':
      await world.killDatabase()
      return untilDatabaseAnswers(world)
    case 'cut-database':
      return linked(world.database, 'cut', fault.forMs)
    case 'freeze-database':
      return linked(world.database, 'frozen', fault.forMs)
    case 'refuse-writes': {
      const allow = await refuseWrites(world.pool, 'INSERT', fault.table)
      await sleep(fault.forMs)
      return allow()
    }
    case 'kill-provider':
      world.provider.kill('SIGKILL')
      return world.provider.ready()
    case 'freeze-provider':
      world.provider.kill('SIGSTOP')
      await sleep(fault.forMs)
      return world.provider.kill('SIGCONT')
    case 'fail-provider-calls':
      return setFaults(world, { errorRate: fault.rate }, fault.forMs)
    case 'disturb-webhooks': {
      const { duplicate, reorder, drop, forMs } = fault
      return setFaults(world, { webhooks: { duplicate, reorder, drop } }, forMs)
    }
    case 'refuse-mails':
      return linked(
        world.mails,
        { answer: '421 4.3.2 Too busy. Try again later.\r\n' },
        fault.forMs,
      )
    case 'cut-mails':
      return linked(world.mails, 'cut', fault.forMs)
    case 'jump-clock':
      world.jump(fault.process, fault.minutes)
      await sleep(fault.forMs)
      return world.jump(fault.process, 0)
    default:
      return fault satisfies never
  }
}

async function linked(
  link: World['database'],
  state: Parameters<World['database']['set']>[0],
  forMs: number,
): Promise<void> {
  link.set(state)
  await sleep(forMs)
  link.set('open')
}

async function setFaults(world: World, faults: object, forMs: number): Promise<void> {
  await postToProvider(world, '/faults', faults)
  await sleep(forMs)
  await postToProvider(world, '/faults', {})
}

/** Repeats the call while the provider is away. Resolves with its answer. */
export async function postToProvider(world: World, path: string, body: object): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await fetch(`${world.sandboxUrl}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(10_000),
      })
      if (answer.ok) return await answer.json()
      if (answer.status === 400) throw new Error(`${path}: ${await answer.text()}`)
    } catch (error) {
      if (attempt === 100) throw error
    }
    await sleep(200)
  }
}

async function untilDatabaseAnswers({ pool }: World): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await pool.query('SELECT 1')
      return
    } catch (error) {
      if (attempt === 100) throw error
      await sleep(200)
    }
  }
}
