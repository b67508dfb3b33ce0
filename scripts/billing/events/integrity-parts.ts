import type { SealSource } from '#services/event-store/audit/check-seals'
import type { OperatorContext } from '#services/operations/operator-context'
import type { IntegrityParts } from '#services/reports/integrity/verify-integrity'
import { sealPlacesOf } from '#services/start/seal-places'
import { businessTime } from '../business-time.ts'

/** The parts of a verification by an operator. `manifests` are files that the operator names. */
export async function integrityParts(
  { config, pool, store, keys }: Pick<OperatorContext, 'config' | 'pool' | 'store' | 'keys'>,
  manifests: readonly SealSource[],
): Promise<IntegrityParts> {
  return {
    store,
    pool,
    keys,
    auditKey: config.auditKey,
    timeZone: config.reportingTimeZone,
    now: await businessTime(pool),
    places: sealPlacesOf(config, process.env),
    manifests,
  }
}
