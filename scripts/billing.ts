import { Command, CommanderError } from 'commander'
import { EventStoreUnavailable, UnreadableEvent } from '#services/event-store/errors'
import { StartupError } from '#services/startup-error'
import { backupCommand } from './billing/backup.ts'
import { eraseCommand } from './billing/erase.ts'
import { eventsCommand } from './billing/events.ts'
import { projectionsCommand } from './billing/projections.ts'
import { restoreCommand } from './billing/restore.ts'
import { secretsCommand } from './billing/secrets.ts'

/** `npm run billing -- <command>`: what an operator does. Failures are one sentence and exit code 1. */
const program = new Command('billing')
  .description('Operate the event log and the read models. Reads the same environment as npm start, and works beside a running product.')
  .showHelpAfterError('(add --help to see what the command takes)')
  .addCommand(eventsCommand())
  .addCommand(projectionsCommand())
  .addCommand(eraseCommand())
  .addCommand(backupCommand())
  .addCommand(restoreCommand())
  .addCommand(secretsCommand())

/** Errors that are for the operator. Where another one came from, only its stack tells. */
const sentences = [StartupError, EventStoreUnavailable, UnreadableEvent]

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) {
    const text = sentences.some((kind) => error instanceof kind) ? (error as Error).message : error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`${text}\n`)
  }
  process.exitCode = 1
}
