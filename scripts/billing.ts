import { Command, CommanderError } from 'commander'
import { EventStoreUnavailable, UnreadableEvent } from '#services/event-store/errors'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { errorMessage } from '#services/foundation/error-message'
import { hearOutputErrors } from '#services/foundation/hear-output-errors'
import { printableLines } from '#services/foundation/printable'
import { StartupError, UsageError } from '#services/foundation/startup-error'
import { isDatabaseUnavailable } from '#services/postgres/unavailable'

/** In the order of the help. Only the command that runs is loaded: the demo loads the product. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  events: async () => (await import('./billing/events.ts')).eventsCommand(),
  projections: async () => (await import('./billing/projections.ts')).projectionsCommand(),
  admins: async () => (await import('./billing/admins.ts')).adminsCommand(),
  erase: async () => (await import('./billing/erase.ts')).eraseCommand(),
  backup: async () => (await import('./billing/backup.ts')).backupCommand(),
  maintain: async () => (await import('./billing/maintain.ts')).maintainCommand(),
  restore: async () => (await import('./billing/restore.ts')).restoreCommand(),
  secrets: async () => (await import('./billing/secrets.ts')).secretsCommand(),
  keys: async () => (await import('./billing/keys.ts')).keysCommand(),
  clock: async () => (await import('./billing/clock.ts')).clockCommand(),
  reconcile: async () => (await import('./billing/reconcile.ts')).reconcileCommand(),
  webhooks: async () => (await import('./billing/webhooks.ts')).webhooksCommand(),
  notifications: async () => (await import('./billing/notifications.ts')).notificationsCommand(),
  receivables: async () => (await import('./billing/receivables.ts')).receivablesCommand(),
  stripe: async () => (await import('./billing/stripe.ts')).stripeCommand(),
  report: async () => (await import('./billing/report.ts')).reportCommand(),
  close: async () => (await import('./billing/close.ts')).closeCommand(),
  'audit-room': async () => (await import('./billing/audit-room.ts')).auditRoomCommand(),
  controls: async () => (await import('./billing/controls.ts')).controlsCommand(),
  demo: async () => (await import('./billing/demo.ts')).demoCommand(),
}

/**
 * `npm run billing -- <command>`: the operator's commands. A failure prints one sentence and sets
 * exit code 1, or 2 for a wrong argument of keys, a report, a close, an audit
 * room or controls.
 */
const program = new Command('billing')
  .description('Operate the event log and the read models.')
  .addHelpText(
    'after',
    '\nReads the same environment as npm start, and works while the product runs.',
  )
const named = commands[process.argv[2] ?? '']
for (const load of named === undefined ? Object.values(commands) : [named])
  program.addCommand(await load())

hintAtHelp(program)
let hasFailed = false
hearLostOutput()

try {
  await program.parseAsync()
} catch (error) {
  hasFailed = true
  if (!(error instanceof CommanderError)) process.stderr.write(`${printableLines(textOf(error))}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
await endAfterOutput()

/**
 * The command continues: it may be in the middle of its work. At its end it says that its output is
 * incomplete, unless it failed and said why. A reader that closed the pipe, such as `head`, has
 * seen enough.
 */
function hearLostOutput(): void {
  let lost: string | null = null
  hearOutputErrors((code) => {
    if (code !== 'EPIPE') lost = code
  })
  process.once('exit', () => {
    if (lost === null || hasFailed) return
    process.exitCode ||= 1
    process.stderr.write(`The output could not be written (${lost}) and is incomplete.\n`)
  })
}

/**
 * Ends the process when its output is written. The client of EventStoreDB leaves a DNS query open
 * for the TXT record of its host, which keeps the process for 28 s if no DNS server answers.
 */
async function endAfterOutput(): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((resolve) => stream.write('', () => resolve()))
  // An error of the output is reported after the write.
  await new Promise(setImmediate)
  process.exit()
}

/** A command that is added to another one does not inherit this setting. */
function hintAtHelp(command: Command): void {
  command.showHelpAfterError('(add --help to print arguments and options)')
  command.commands.forEach(hintAtHelp)
}

/**
 * The message of an error that the operator can correct. The stack of any other error, because it
 * shows the place in the code.
 */
function textOf(error: unknown): string {
  if (
    error instanceof StartupError ||
    error instanceof EventStoreUnavailable ||
    error instanceof UnreadableEvent ||
    error instanceof DamagedHistory
  )
    return error.message
  if (isDatabaseUnavailable(error))
    return `The database did not answer (${errorMessage(error)}). The command did not finish: run it again when the database answers.`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
