import './foundation/production-react.ts'
import { hearOutputErrors } from './foundation/hear-output-errors.ts'
import { logWritten } from './foundation/log-destination.ts'
import { setEngineFlags } from './start/set-engine-flags.ts'
import { readConfig } from '#services/settings/read-config'
import { onStopRequest } from './start/on-stop-request.ts'
import { withSettingsFromFiles } from '#services/settings/settings-from-files'
import { sentenceOfStartFailure } from './start/start-failure.ts'
import { startProduct } from './start/start-product.ts'

const stopRequest = new AbortController()
const print = (line: string) => void process.stdout.write(`${line}\n`)

/**
 * Runs the parts that ROLE names until a stop is requested. A request during the start stops the
 * parts that run by then.
 */
async function main(): Promise<void> {
  onStopRequest((reason) => {
    print(`\n${reason}: stopping. Requests in progress finish first.`)
    stopRequest.abort()
  })
  const product = await startProduct(
    readConfig(withSettingsFromFiles(process.env)),
    print,
    stopRequest.signal,
  )
  const moved = await Promise.race([product.moved, aborted(stopRequest.signal)])
  if (moved) print('\nThe event log was moved: stopping. Requests in progress finish first.')
  await product.stop()
  if (moved) throw moved
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

async function end(): Promise<never> {
  await logWritten()
  print('Stopped.')
  process.exit(0)
}

async function fail(error: unknown): Promise<never> {
  await logWritten()
  process.stderr.write(`${sentenceOfStartFailure(error)}\n`)
  process.exit(1)
}

setEngineFlags()
hearOutputErrors()
main().then(
  () => end(),
  // A stop request during the start ends the start by an exception. That is not a failure.
  (error: unknown) => (stopRequest.signal.aborted ? end() : fail(error)),
)
