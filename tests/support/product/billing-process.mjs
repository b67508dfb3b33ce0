import { buildWhenStale } from '../../../scripts/build/build-when-stale.mjs'

/*
 * Runs `billing` commands one after the other in this process, for `billingInOneProcess`: loading
 * the modules takes most of the time of a command. Each run evaluates `dist/scripts/billing.js`
 * again with its own arguments, environment, output and exit code; the modules below it stay
 * loaded.
 */

await buildWhenStale()

/** Thrown by `process.exit` instead of ending the process. */
class Exit extends Error {}

/** The code of the first `process.exit` of a run. Output after it does not count. */
let ended = null

process.exit = (code) => {
  ended ??= code ?? process.exitCode ?? 0
  throw new Exit()
}

let runs = 0

async function run({ args, env }) {
  const output = { stdout: [], stderr: [] }
  const restore = [collect('stdout', output), collect('stderr', output), keepListeners()]
  process.argv = [process.argv[0], 'billing', ...args]
  process.env = { ...env }
  process.exitCode = undefined
  ended = null
  let failure = null
  try {
    runs += 1
    await import(`../../../dist/scripts/billing.js?run=${runs}`)
  } catch (error) {
    if (!(error instanceof Exit)) failure = String(error?.stack ?? error)
  }
  const code = ended
  for (const undo of restore) undo()
  process.exitCode = undefined
  return { code, failure, stdout: textOf(output.stdout), stderr: textOf(output.stderr) }
}

const textOf = (chunks) => Buffer.concat(chunks).toString('utf8')

function collect(name, output) {
  const stream = process[name]
  stream.write = (chunk, encoding, written) => {
    if (ended === null) output[name].push(Buffer.from(chunk))
    const callback = typeof encoding === 'function' ? encoding : written
    if (callback) process.nextTick(callback)
    return true
  }
  return () => delete stream.write
}

/** A command adds listeners for its end, which a process of its own takes along. */
function keepListeners() {
  const kept = [process, process.stdout, process.stderr].map((emitter) => [
    emitter,
    emitter.eventNames().map((name) => [name, emitter.listeners(name)]),
  ])
  return () => {
    for (const [emitter, events] of kept)
      for (const name of emitter.eventNames()) {
        const before = events.find(([known]) => known === name)?.[1] ?? []
        for (const listener of emitter.listeners(name))
          if (!before.includes(listener)) emitter.off(name, listener)
      }
  }
}

process.on('message', (command) => {
  void run(command).then((result) => process.send(result))
})
