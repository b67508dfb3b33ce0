import { Command, CommanderError } from 'commander'
import { EventStoreUnavailable, UnreadableEvent } from '#services/event-store/errors'
import { StartupError } from '#services/foundation/startup-error'
import { backupCommand } from './billing/backup.ts'
import { eraseCommand } from './billing/erase.ts'
import { eventsCommand } from './billing/events.ts'
import { projectionsCommand } from './billing/projections.ts'
import { restoreCommand } from './billing/restore.ts'
import { secretsCommand } from './billing/secrets.ts'

/** `npm run billing -- <command>`: what an operator does. Failures are one sentence and exit code 1. */
const program = new Command('billing')
  .description('Operate the event log and the read models.')
  .addHelpText(
    'after',
    '\nReads the same environment as npm start, and works beside a running product.',
  )
  .addCommand(eventsCommand())
  .addCommand(projectionsCommand())
  .addCommand(eraseCommand())
  .addCommand(backupCommand())
  .addCommand(restoreCommand())
  .addCommand(secretsCommand())

hintAtHelp(program)

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) process.stderr.write(`${textOf(error)}\n`)
  process.exitCode = 1
}

/** Commands that were made by themselves do not take this over from the one that they are added to. */
function hintAtHelp(command: Command): void {
  command.showHelpAfterError('(add --help to see what the command takes)')
  command.commands.forEach(hintAtHelp)
}

/** A sentence where it is the operator's to act; of any other error only the stack tells where it came from. */
function textOf(error: unknown): string {
  if (
    error instanceof StartupError ||
    error instanceof EventStoreUnavailable ||
    error instanceof UnreadableEvent
  )
    return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
