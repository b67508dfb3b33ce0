import { CannotDrop } from '#projections/engine/operate/drop-version'
import { CannotRetry } from '#projections/engine/operate/retry-stream'
import { CannotSkip } from '#projections/engine/operate/skip-event'
import { RebuildUnderWay } from '#projections/engine/rebuild/rebuild'
import { CannotVerify } from '#projections/engine/rebuild/cannot-verify'
import { PoisonEvent } from '#projections/engine/run/apply-batch'
import { MissingPersonalKey } from '#services/event-store/errors'
import { isDamaged } from '#services/event-store/newer-event'
import { StartupError } from '#services/foundation/startup-error'
import { withStopSignal } from '../with-stop-signal.ts'

const expected = [CannotDrop, CannotRetry, CannotSkip, CannotVerify, RebuildUnderWay]

/**
 * As `withStopSignal`, for work on projections.
 * @throws StartupError for an error that the operator can act on
 */
export function withOperatorErrors<T>(
  work: (signal: AbortSignal) => Promise<T>,
  whenStopped: string,
): Promise<T> {
  return withStopSignal(work, whenStopped).catch((error: unknown) => {
    throw forOperator(error)
  })
}

/** A StartupError for an error that the operator can act on. Any other error as it is. */
export function forOperator(error: unknown): unknown {
  if (error instanceof PoisonEvent) {
    // Its sentence says what to do. A skip or a rebuild would lose the person's rows.
    if (error.cause instanceof MissingPersonalKey)
      return new StartupError(`${error.message} The live tables were not changed.`)
    return new StartupError(
      `${error.message}\n${adviceFor(error)} If 'billing projections status' names this event, 'billing projections retry' and 'billing projections skip' continue the live tables.`,
    )
  }
  return expected.some((kind) => error instanceof kind)
    ? new StartupError((error as Error).message)
    : error
}

/** No release folds a damaged event. */
function adviceFor({ event: { id }, cause }: PoisonEvent): string {
  return isDamaged(cause)
    ? `Event ${id} is damaged in the log. Repair it from a backup from before the change ('billing events repair <backup>'), and run the command again.`
    : `This release cannot fold event ${id}. Correct the code that folds it and run the command again.`
}
