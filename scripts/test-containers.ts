import { walkWorld } from './containers/walk-world.ts'
import { createWorld, type World } from './containers/world.ts'

/*
 * `npm run test:containers`: builds the image and runs docker-compose.yml as a project of its own.
 * Needs a container engine with Compose. Exit code 1: a fault. 2: no engine.
 */

const limitMs = 30 * 60_000
const limit = new AbortController()
const timer = setTimeout(
  () => limit.abort(new Error(`The run took longer than ${limitMs / 60_000} min.`)),
  limitMs,
)
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => limit.abort(new Error(`${name} ended the run.`)))
const print = (line: string) => void process.stdout.write(`${line}\n`)

process.exitCode = await main()
clearTimeout(timer)

async function main(): Promise<number> {
  const world = await createWorld(limit.signal)
  try {
    const missing = await missingEngine(world)
    if (missing !== null) {
      process.stderr.write(`${missing}\n`)
      return 2
    }
    await walkWorld(world, limit.signal, print)
    await printImages(world)
    return 0
  } catch (error) {
    const reason: unknown = limit.signal.aborted ? limit.signal.reason : error
    process.stderr.write(`${reason instanceof Error ? reason.message : String(reason)}\n`)
    if (!limit.signal.aborted)
      process.stderr.write(await world.compose('logs', '--tail', '40').catch(() => ''))
    return 1
  } finally {
    await world.remove()
  }
}

async function missingEngine(world: World): Promise<string | null> {
  try {
    await world.docker('version')
    await world.docker('compose', 'version')
    return null
  } catch {
    return 'No container engine answers: `docker version` or `docker compose version` failed. Start Docker with Compose 2.24.4 or newer and run the test again.'
  }
}

async function printImages(world: World): Promise<void> {
  const names = (await world.compose('config', '--images')).split('\n')
  const engine = await world.docker('version', '--format', '{{.Server.Version}}')
  const compose = await world.docker('compose', 'version', '--short')
  print(`\nDocker ${engine}, Compose ${compose}\n\n| image | id | created |\n| --- | --- | --- |`)
  for (const name of [...new Set(names)].sort()) {
    const format = '{{slice .Id 7 19}} | {{slice .Created 0 10}}'
    print(`| \`${name}\` | ${await world.docker('inspect', '--format', format, name)} |`)
  }
}
