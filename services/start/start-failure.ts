import { EventStoreUnavailable } from '#services/event-store/errors'
import { errorMessage } from '#services/foundation/error-message'
import { StartupError } from '#services/foundation/startup-error'
import { isDatabaseUnavailable } from '#services/postgres/unavailable'

/** What the operator reads if a start fails. A stack only for a failure that nobody foresaw. */
export function sentenceOfStartFailure(error: unknown): string {
  if (error instanceof StartupError) return error.message
  if (isDatabaseUnavailable(error)) return unavailable('PostgreSQL', error)
  if (error instanceof EventStoreUnavailable) return unavailable('The event store', error.cause)
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function unavailable(what: string, cause: unknown): string {
  return `${what} became unavailable during the start (${errorMessage(cause)}). Start again when it answers.`
}
