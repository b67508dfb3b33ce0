import { PoisonEvent } from '#projections/engine/apply-batch'
import { CannotDrop } from '#projections/engine/drop-version'
import { RebuildUnderWay } from '#projections/engine/rebuild'
import { CannotSkip } from '#projections/engine/skipped-events'
import { CannotVerify } from '#projections/engine/verify'
import { StartupError } from '#services/startup-error'
import { untilStopped } from '../until-stopped.ts'

const expected = [CannotDrop, CannotSkip, CannotVerify, RebuildUnderWay]

/** `untilStopped`, for work on projections; what an operator can act on becomes one sentence. */
export function explained<T>(work: (signal: AbortSignal) => Promise<T>, whenStopped: string): Promise<T> {
  return untilStopped(work, whenStopped).catch((error: unknown) => {
    if (error instanceof PoisonEvent) {
      throw new StartupError(
        `${error.message}\nThis release cannot go past event ${error.event.id}. Correct the folding and try again; where the live projection is paused at it, 'billing projections skip' passes over it.`,
      )
    }
    if (expected.some((kind) => error instanceof kind)) throw new StartupError((error as Error).message)
    throw error
  })
}
