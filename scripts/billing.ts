import { Command, CommanderError } from 'commander'
import { EventStoreUnavailable, UnreadableEvent } from '#services/event-store/errors'
import { StartupError } from '#services/foundation/startup-error'
import { backupCommand } from './billing/backup.ts'
import { clockCommand } from './billing/clock.ts'
import { demoCommand } from './billing/demo.ts'
import { eraseCommand } from './billing/erase.ts'
import { eventsCommand } from './billing/events.ts'
import { projectionsCommand } from './billing/projections.ts'
import { reconcileCommand } from './billing/reconcile.ts'
import { restoreCommand } from './billing/restore.ts'
import { secretsCommand } from './billing/secrets.ts'
import { stripeCommand } from './billing/stripe.ts'
import { webhooksCommand } from './billing/webhooks.ts'

/**
 * `npm run billing -- <command>`: the operator's commands. A failure prints one sentence and sets
 * exit code 1.
 */
const program = new Command('billing')
  .description('Operate the event log and the read models.')
  .addHelpText(
    'after',
    '\nReads the same environment as npm start, and works while the product runs.',
  )
  .addCommand(eventsCommand())
  .addCommand(projectionsCommand())
  .addCommand(eraseCommand())
  .addCommand(backupCommand())
  .addCommand(restoreCommand())
  .addCommand(secretsCommand())
  .addCommand(clockCommand())
  .addCommand(reconcileCommand())
  .addCommand(webhooksCommand())
  .addCommand(stripeCommand())
  .addCommand(demoCommand())

hintAtHelp(program)

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) process.stderr.write(`${textOf(error)}\n`)
  process.exitCode = 1
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
    error instanceof UnreadableEvent
  )
    return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
