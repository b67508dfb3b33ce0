import { CannotDrop } from '#projections/engine/operate/drop-version'
import { CannotSkip } from '#projections/engine/operate/skip-event'
import { RebuildUnderWay } from '#projections/engine/rebuild/rebuild'
import { CannotVerify } from '#projections/engine/rebuild/verify'
import { PoisonEvent } from '#projections/engine/run/apply-batch'
import { StartupError } from '#services/foundation/startup-error'
import { untilStopped } from '../until-stopped.ts'

const expected = [CannotDrop, CannotSkip, CannotVerify, RebuildUnderWay]

/** `untilStopped`, for work on projections; what an operator can act on becomes one sentence. */
export function explained<T>(
  work: (signal: AbortSignal) => Promise<T>,
  whenStopped: string,
): Promise<T> {
  return untilStopped(work, whenStopped).catch((error: unknown) => {
    if (error instanceof PoisonEvent) {
      throw new StartupError(
        `${error.message}\nThis release cannot go past event ${error.event.id}. Correct the folding and try again; where the live projection is paused at it, 'billing projections skip' passes over it.`,
      )
    }
    if (expected.some((kind) => error instanceof kind))
      throw new StartupError((error as Error).message)
    throw error
  })
}
