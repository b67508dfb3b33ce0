import { isDamaged } from '#services/event-store/newer-event'
import { UsageError } from '#services/foundation/startup-error'
import { HttpError } from '#services/http/http-error'

/**
 * The answer to a report that cannot be computed: a month was closed in another time zone, so a
 * setting of the product is wrong, or the log has an event that cannot be read. Any other error is
 * returned as it is.
 */
export function reportRefusal(error: unknown): unknown {
  if (error instanceof UsageError) return new HttpError(409, error.message, { cause: error })
  if (isDamaged(error))
    return new HttpError(409, `The report was not computed. ${error.message}`, { cause: error })
  return error
}
