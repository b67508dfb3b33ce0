import { PoisonEvent } from '#projections/engine/apply-batch'
import { CannotDrop } from '#projections/engine/drop-version'
import { RebuildUnderWay } from '#projections/engine/rebuild'
import { CannotSkip } from '#projections/engine/skipped-events'
import { CannotVerify } from '#projections/engine/verify'
import { StartupError } from '#services/startup-error'

const expected = [CannotDrop, CannotSkip, CannotVerify, RebuildUnderWay]

/** Does `work` until it is done or Ctrl-C is pressed; what an operator can act on becomes one sentence. */
export async function explained<T>(work: (signal: AbortSignal) => Promise<T>, whenStopped: string): Promise<T> {
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  try {
    return await work(stop.signal)
  } catch (error) {
    if (stop.signal.aborted) throw new StartupError(whenStopped)
    if (error instanceof PoisonEvent) {
      throw new StartupError(
        `${error.message}\nThis release cannot go past event ${error.event.id}. Correct the folding and try again; where the live projection is paused at it, 'billing projections skip' passes over it.`,
      )
    }
    if (expected.some((kind) => error instanceof kind)) throw new StartupError((error as Error).message)
    throw error
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}
