import { readConfig } from './config.ts'
import { withSettingsFromFiles } from './settings-from-files.ts'
import { startProduct } from './start-product.ts'
import { StartupError } from './startup-error.ts'

/** Starts everything that ROLE names, and stops what it started on Ctrl-C or SIGTERM. */
async function main(): Promise<void> {
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const product = await startProduct(readConfig(withSettingsFromFiles(process.env)), say)

  let isStopping = false
  const stop = (reason: string, andThen: () => never) => {
    if (isStopping) return
    isStopping = true
    say(`\n${reason}: stopping. Requests under way are finished first.`)
    product.stop().then(andThen, fail)
  }
  const exit = () => process.exit(0)
  process.on('SIGINT', () => stop('Ctrl-C', exit))
  process.on('SIGTERM', () => stop('SIGTERM', exit))
  void product.moved.then((error) => stop('The log was moved', () => fail(error)))
}

function fail(error: unknown): never {
  const isExpected = error instanceof StartupError
  const text = isExpected ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

main().catch(fail)
