import { Gauge, type Registry } from 'prom-client'
import type { ReconcilerHealth } from '../health.ts'
import type { Measure } from './measure.ts'

/** Returns a function that a scrape calls to set the state of the reconciler. */
export function reconcilerMetrics(
  registry: Registry,
  reconciler: () => Promise<ReconcilerHealth | null>,
  measure: Measure,
): () => Promise<void> {
  const registers = [registry]
  const gauges = {
    ageSeconds: new Gauge({
      name: 'reconciler_age_seconds',
      help: 'Seconds since the latest complete run of the reconciler, by any process.',
      registers,
    }),
    failures: new Gauge({
      name: 'reconciler_failures',
      help: 'Customers and events that the reconciler could not synchronize and retries.',
      registers,
    }),
    unlinked: new Gauge({
      name: 'reconciler_unlinked_objects',
      help: 'Subscriptions, invoices and refunds at the payment provider whose customer belongs to no account, by the latest nightly run.',
      registers,
    }),
  }

  const read = measure('reconciler', reconciler)

  return async () => {
    const { value: found } = await read()
    for (const name of ['ageSeconds', 'failures', 'unlinked'] as const)
      gauges[name].set(found?.[name] ?? NaN)
  }
}
