import type { EventStore } from '#services/event-store/event-store'
import type { NewerRelease } from '#services/event-store/newer-release'
import { withTimeout } from '#services/foundation/timeout'
import type { Readiness, WaitingEffects } from '#services/http/health'
import type { OutsideServices } from './outside-services.ts'

/** As the limit of the other checks of /readyz. */
const correctedLimitMs = 2_000

interface ProductReadinessParts {
  /** The product stops: it takes no more requests. */
  readonly isStopping: () => boolean
  /** The dependencies of this process, with the state of the reconciler. */
  readonly measured: () => Promise<Readiness>
  readonly outbox: () => Promise<WaitingEffects | null>
  /** Adds the state of parts that start later. */
  readonly addTo: (readiness: Readiness) => Readiness
  readonly newerRelease: Pick<NewerRelease, 'forgetCorrected' | 'sentence'>
  readonly store: Pick<EventStore, 'readStream'>
  readonly outside: Pick<OutsideServices, 'reasons'>
}

/**
 * What /readyz answers. The process stays ready while it needs a newer release and while a service
 * outside the product does not answer: it serves every customer whose events it knows, and all
 * pages that need no service outside.
 */
export function createProductReadiness({
  isStopping,
  measured,
  outbox,
  addTo,
  newerRelease,
  store,
  outside,
}: ProductReadinessParts): () => Promise<Readiness> {
  return async () => {
    if (isStopping()) return { isReady: false, reasons: ['This process is stopping.'] }
    const [measurement, waitingEffects] = await Promise.all([
      measured(),
      outbox(),
      // The other checks report an outage.
      withTimeout(
        correctedLimitMs,
        newerRelease.forgetCorrected(store).catch(() => undefined),
        () => undefined,
      ),
    ])
    const found = addTo(measurement)
    const newer = newerRelease.sentence(found.isReady)
    return {
      ...found,
      reasons: [...found.reasons, ...(newer === null ? [] : [newer]), ...outside.reasons()],
      outbox: waitingEffects,
    }
  }
}
