import { createOutageLog, type WarningLog } from '#services/foundation/outage-log'
import type { Queryable } from '#services/foundation/queryable'
import { sharedRun } from '#services/foundation/shared-run'
import { withTimeout } from '#services/foundation/timeout'
import type { WaitingEffects } from '#services/http/health'
import { outboxStatus } from '#services/reactors/outbox'

/**
 * Reads the sums of all reactors for /readyz. Waiting effects do not make a process unready: a
 * process that takes no requests would not send them sooner.
 * @returns a function that never rejects and answers within `limitMs`
 */
export function createOutboxReader(
  db: Queryable,
  log: WarningLog,
  limitMs = 2_000,
): () => Promise<WaitingEffects | null> {
  const outage = createOutageLog(log, {
    began: 'Reading the outbox for /readyz failed; the answer omits it.',
    lasts: 'Reading the outbox for /readyz still fails.',
    over: 'Reading the outbox for /readyz succeeds again.',
  })
  const read = sharedRun(async (): Promise<WaitingEffects | null> => {
    try {
      const reactors = await outboxStatus(db)
      outage.over()
      return {
        waiting: reactors.reduce((sum, { waiting }) => sum + waiting, 0),
        failing: reactors.reduce((sum, { failing }) => sum + failing, 0),
        dead: reactors.reduce((sum, { dead }) => sum + dead, 0),
        oldestSeconds: Math.round(
          reactors.reduce((oldest, each) => Math.max(oldest, each.oldestSeconds), 0),
        ),
      }
    } catch (error) {
      outage.failed(error)
      return null
    }
  })
  return () => withTimeout(limitMs, read(), () => null)
}
