import { EventStoreUnavailable } from '#services/event-store/errors'
import { isDatabaseUnavailable } from '#services/postgres/unavailable'
import { errorCode } from '#services/foundation/error-code'

/**
 * Deadlocks and serialization failures (40), and failures of the disk (58). A request reports them;
 * a batch is written again.
 */
const onlyForBatches = /^(40|58)...$/
/**
 * A canceled statement: a request may be sent again. A batch is split instead, since fewer events
 * may finish within a statement timeout. An event that alone does not finish is poison.
 */
const queryCanceled = '57014'

/**
 * Whether the environment caused a failure (a database restart, a full disk, a read-only server)
 * and not an event. The projector retries such a batch without limit and treats no event as poison.
 * The definition is that of an unavailable database, with the two differences above.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof EventStoreUnavailable) return true
  const code = errorCode(error) ?? ''
  if (code === queryCanceled) return false
  return onlyForBatches.test(code) || isDatabaseUnavailable(error)
}
