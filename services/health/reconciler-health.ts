import type { ReconcilerState } from '#services/billing/reconciler/reconciler-state'
import type { Clock } from '#services/foundation/clock'
import { createOutageLog, type WarningLog } from '#services/foundation/outage-log'
import { sharedRun } from '#services/foundation/shared-run'
import { withTimeout } from '#services/foundation/timeout'
import type { Readiness, ReconcilerHealth } from '#services/http/health'

/** Three missed runs. */
const oldSeconds = 15 * 60

/**
 * Reads how old the reconciler's latest complete run is. An old reconciler does not make a process
 * unready: taking the process out of rotation would not make the reconciler run.
 */
export function createReconcilerHealth({
  state,
  clock,
  log,
  limitMs = 2_000,
}: {
  readonly state: ReconcilerState
  /** The security clock. */
  readonly clock: Clock
  readonly log: WarningLog
  readonly limitMs?: number
}) {
  const outage = createOutageLog(log, {
    began: 'Reading the state of the reconciler failed; /readyz omits it.',
    lasts: 'Reading the state of the reconciler still fails.',
    over: 'The state of the reconciler can be read again.',
  })

  const read = sharedRun(async (): Promise<ReconcilerHealth | null> => {
    const [progress, failures] = await Promise.all([state.read(), state.countFailures()])
    if (progress === null) return null
    const { completedAt, since, unlinked } = progress
    const ageMs = clock.now().getTime() - Date.parse(completedAt ?? since)
    return { ageSeconds: Math.max(0, Math.round(ageMs / 1_000)), failures, unlinked }
  })

  const readOrNull = () =>
    read().then(
      (found) => {
        outage.over()
        return found
      },
      (error: unknown) => {
        outage.failed(error)
        return null
      },
    )

  return {
    /** Null before the first run. @throws the database's error */
    read,
    /** `readiness` with the state of the reconciler: null if it could not be read in time. */
    async addTo(measuring: Promise<Readiness>): Promise<Readiness> {
      // Side by side: a database that does not answer delays both.
      const [readiness, reconciler] = await Promise.all([
        measuring,
        withTimeout(limitMs, readOrNull(), () => null),
      ])
      if (reconciler === null || reconciler.ageSeconds <= oldSeconds)
        return { ...readiness, reconciler }
      const minutes = Math.floor(reconciler.ageSeconds / 60)
      const reason = `The reconciler has completed no run for ${minutes} min, so payments whose webhooks were lost are not recorded. The product's log has the reason; 'billing reconcile' runs it now.`
      return { ...readiness, reasons: [...readiness.reasons, reason], reconciler }
    },
  }
}
