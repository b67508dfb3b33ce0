/*
 * Runs the sandbox as a separate process: alone (`node dist/services/sandbox/main.js`) or forked by
 * the product. The product receives over IPC that the sandbox is ready, or why it cannot start.
 */
import '#services/foundation/production-react'
import pino from 'pino'
import { readConfig } from './config.ts'
import { startSandbox, type Sandbox } from './start-sandbox.ts'
import { hearOutputErrors } from '#services/foundation/hear-output-errors'
import { logDestination, logWritten } from '#services/foundation/log-destination'
import { logFormat } from '#services/foundation/terminal-line'
import { StartupError } from '#services/foundation/startup-error'
import { DatabaseRefusal } from './store/database-refusal.ts'

type Report = { readonly ready: true; readonly port: number; readonly smtpPort: number } | Failure
type Failure = { readonly error: string; readonly database?: DatabaseRefusal['reason'] }

const log = pino(
  { name: 'sandbox', level: process.env['LOG_LEVEL'] ?? 'warn' },
  logDestination(2, logFormat(2, process.env['NODE_ENV'] === 'production')),
)
hearOutputErrors()
let sandbox: Sandbox | undefined
let isEnding = false

/** Finishes the changes in progress and exits, after 5 s at the latest. */
async function end(code: number): Promise<void> {
  if (isEnding) return
  isEnding = true
  setTimeout(() => process.exit(code), 5_000).unref()
  await sandbox
    ?.close()
    .catch((error: unknown) =>
      log.error({ err: error }, 'Closing the sandbox failed; the process exits.'),
    )
  await logWritten()
  if (code === 0) process.stdout.write('The sandbox stopped.\n')
  process.exit(code)
}

/** If the product forked the sandbox, the product adds the remedy, a setting of the product. */
function failureOf(error: unknown): Failure {
  if (error instanceof DatabaseRefusal && process.send)
    return { error: error.problem, database: error.reason }
  return {
    error:
      error instanceof StartupError
        ? error.message
        : 'The sandbox could not start. The sandbox log has the cause.',
  }
}

async function report(message: Report): Promise<void> {
  if (process.send && process.connected) {
    await new Promise<void>((resolve) =>
      process.send?.(message, undefined, undefined, () => resolve()),
    )
  } else if ('error' in message) {
    process.stderr.write(`${message.error}\n`)
  } else {
    process.stdout.write(
      `The sandbox runs at ${sandbox?.url ?? ''} (inbox at /inbox), mail on port ${message.smtpPort}.\n`,
    )
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // A terminal or a supervisor may signal both processes. The product needs the sandbox until its
    // own requests end.
    if (!process.connected) void end(0)
  })
}
// The product closed the channel or ended.
process.on('disconnect', () => void end(0))

try {
  sandbox = await startSandbox(readConfig(process.env), {
    log,
    onTaken: () => {
      log.fatal('Another sandbox claimed the database; this sandbox stops.')
      void end(1)
    },
  })
  if (isEnding) await sandbox.close()
  else await report({ ready: true, port: sandbox.port, smtpPort: sandbox.smtpPort })
} catch (error) {
  if (!(error instanceof StartupError))
    log.fatal({ err: error }, 'The sandbox did not start; the process exits.')
  await report(failureOf(error))
  await logWritten()
  process.exit(1)
}
