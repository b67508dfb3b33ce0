import { projectionsOverview } from '#projections/engine/operate/overview'
import {
  createReconcilerState,
  type ReconcilerState,
} from '#services/billing/reconciler/reconciler-state'
import { uncleanedErasures } from '#services/accounts/clean-erased'
import { countFirings } from '#services/controls/firings'
import { countParkedCustomers } from '#services/controls/parked-customers'
import { integrityWork } from '#services/event-store/audit/integrity-work'
import type { BusinessClock } from '#services/foundation/business-clock'
import { systemClock } from '#services/foundation/clock'
import { withTimeout } from '#services/foundation/timeout'
import type { Admission } from '#services/http/admission/admission'
import { healthRoutes, type Readiness } from '#services/http/health'
import { createMetrics, type Metrics } from '#services/http/metrics/metrics'
import type { DocumentedRouter } from '#services/http/openapi/documented-call'
import { textReactorName } from '#services/notifications/reactor-names'
import { measureAccounts } from '#services/receivables/checkout/measure-accounts'
import { measureMessages } from '#services/receivables/sending/measure-messages'
import { outboxStatus } from '#services/reactors/outbox'
import type { Storage } from './open-storage.ts'
import { missingMasterKey } from '#services/keys/assert-known-keys'
import { createOutboxReader } from '#services/health/outbox-reader'
import { projectionsOfRelease } from '#services/health/projections-of-release'
import { createReadiness } from '#services/health/readiness'
import { createReconcilerHealth } from '#services/health/reconciler-health'
import type { StartContext } from './start-context.ts'

/** As the limit of the other checks of /readyz. */
const correctedLimitMs = 2_000

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
  const readiness = createReadiness({
    connectionString,
    store,
    isLogInDatabase,
    dataDir: config.databaseUrl === null ? config.dataDir : null,
    clockProblem: () => clock?.problem() ?? null,
    keyProblem: (db) => missingMasterKey(db, config),
    waiting: newerRelease.waiting,
    log,
  })
  started.add('readiness checks', () => readiness.close())
  const reconcilerState = createReconcilerState(pool, systemClock)
  const reconcilerHealth = createReconcilerHealth({
    state: reconcilerState,
    clock: systemClock,
    log,
  })
  const readOutbox = createOutboxReader(pool, log)
  return {
    metrics: createMetrics({
      overview: async () => projectionsOfRelease(await projectionsOverview(pool, store)),
      isReady: async () => (await readinessNow()).isReady,
      isWritable: () => readiness.isWritable(),
      reconciler: () => reconcilerHealth.read(),
      // After Twilio was removed, no process runs this reactor: an alarm about it would be false.
      outbox: async () =>
        (await outboxStatus(pool)).filter(
          ({ reactor }) => config.twilio !== null || reactor !== textReactorName,
        ),
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
    health: healthRoutes(readinessNow),
  }

  async function readinessNow(): Promise<Readiness> {
    if (started.isStopping) return { isReady: false, reasons: ['This process is stopping.'] }
    const [measured, outbox] = await Promise.all([
      reconcilerHealth.addTo(readiness.check()),
      readOutbox(),
      // The other checks report an outage.
      withTimeout(
        correctedLimitMs,
        newerRelease.forgetCorrected(store).catch(() => undefined),
        () => undefined,
      ),
    ])
    const found = addTo(measured)
    const newer = newerRelease.sentence(found.isReady)
    // The process stays ready: it serves every customer whose events it knows, and all pages that
    // need no service outside the product.
    return {
      ...found,
      reasons: [...found.reasons, ...(newer === null ? [] : [newer]), ...outside.reasons()],
      outbox,
    }
  }
}
