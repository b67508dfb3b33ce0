import { projectionsOverview } from '#projections/engine/operate/overview'
import { uncleanedErasures } from '#services/accounts/clean-erased'
import {
  createReconcilerState,
  type ReconcilerState,
} from '#services/billing/reconciler/reconciler-state'
import { countFirings } from '#services/controls/firings'
import { countParkedCustomers } from '#services/controls/parked-customers'
import { integrityWork } from '#services/event-store/audit/integrity-work'
import type { BusinessClock } from '#services/foundation/business-clock'
import { systemClock } from '#services/foundation/clock'
import { createOutboxReader } from '#services/health/outbox-reader'
import { createProductReadiness } from '#services/health/product-readiness'
import { projectionsOfRelease } from '#services/health/projections-of-release'
import { createReadiness } from '#services/health/readiness'
import { createReconcilerHealth } from '#services/health/reconciler-health'
import { runningOutbox } from '#services/health/running-outbox'
import type { Admission } from '#services/http/admission/admission'
import { healthRoutes, type Readiness } from '#services/http/health'
import { createMetrics, type Metrics } from '#services/http/metrics/metrics'
import type { DocumentedRouter } from '#services/http/openapi/documented-call'
import { missingMasterKey } from '#services/keys/assert-known-keys'
import { measureAccounts } from '#services/receivables/checkout/measure-accounts'
import { measureMessages } from '#services/receivables/sending/measure-messages'
import type { Storage } from './open-storage.ts'
import type { StartContext } from './start-context.ts'

export interface Monitoring {
  readonly metrics: Metrics
  readonly reconcilerState: ReconcilerState
  /** /healthz and /readyz. */
  readonly health: DocumentedRouter
}

/**
 * Starts what /readyz and the metrics report. `addTo` adds the state of a part that starts later to
 * the readiness.
 */
export function startMonitoring(
  { config, log, started, newerRelease, tracing, outside }: StartContext,
  { connectionString, background: pool, store, isLogInDatabase }: Storage,
  clock: BusinessClock | null,
  admission: Pick<Admission, 'measured'>,
  addTo: (readiness: Readiness) => Readiness,
): Monitoring {
  const checks = createReadiness({
    connectionString,
    store,
    isLogInDatabase,
    dataDir: config.databaseUrl === null ? config.dataDir : null,
    clockProblem: () => clock?.problem() ?? null,
    keyProblem: (db) => missingMasterKey(db, config),
    waiting: newerRelease.waiting,
    log,
  })
  started.add('readiness checks', () => checks.close())
  const reconcilerState = createReconcilerState(pool, systemClock)
  const reconciler = createReconcilerHealth({ state: reconcilerState, clock: systemClock, log })
  const readiness = createProductReadiness({
    isStopping: () => started.isStopping,
    measured: () => reconciler.addTo(checks.check()),
    outbox: createOutboxReader(pool, log),
    addTo,
    newerRelease,
    store,
    outside,
  })
  return {
    metrics: createMetrics({
      overview: async () => projectionsOfRelease(await projectionsOverview(pool, store)),
      isReady: async () => (await readiness()).isReady,
      isWritable: () => checks.isWritable(),
      reconciler: () => reconciler.read(),
      outbox: () => runningOutbox(pool, { sendsTexts: config.twilio !== null }),
      controls: async () => ({
        firings: await countFirings(pool),
        parkedCustomers: await countParkedCustomers(pool),
      }),
      ...(clock === null ? {} : { messages: () => measureMessages(pool, clock.now()) }),
      accounts: () => measureAccounts(pool),
      integrity: async () => ({
        works: await integrityWork(pool),
        uncleaned: await uncleanedErasures(pool),
      }),
      newerRelease,
      spans: tracing.counts,
      work: () => admission.measured(),
      outside: outside.measured,
      log,
    }),
    reconcilerState,
    health: healthRoutes(readiness),
  }
}
