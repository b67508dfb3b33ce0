import { uncleanedErasures } from '#services/accounts/clean-erased'
import { integrityWork } from '#services/event-store/audit/integrity-work'
import type { Queryable } from '#services/foundation/queryable'
import type { MeasuredIntegrity } from '#services/http/metrics/integrity-metrics'

/** The age of what protects the log, and the erasures that the database's files still show. */
export async function measureIntegrity(db: Queryable): Promise<MeasuredIntegrity> {
  const [works, uncleaned] = await Promise.all([integrityWork(db), uncleanedErasures(db)])
  return { works, uncleaned }
}
