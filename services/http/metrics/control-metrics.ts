import { Counter, type Registry } from 'prom-client'
import type { WarningLog } from '#services/foundation/outage-log'
import { readMeasured } from './read-measured.ts'

/** How often a control fired. */
export interface MeasuredControl {
  readonly control: string
  readonly firings: number
}

/** Returns a function that a scrape calls to set how often every control fired. */
export function controlMetrics(
  registry: Registry,
  firings: () => Promise<readonly MeasuredControl[]>,
  log: WarningLog,
): () => Promise<void> {
  const counter = new Counter({
    name: 'billing_control_firings_total',
    help: 'Events that broke the rule of a control, since the first event of the log.',
    labelNames: ['control'],
    registers: [registry],
  })
  const read = readMeasured('the firings of controls', firings, log)

  return async () => {
    const measured = await read()
    counter.reset()
    for (const { control, firings: count } of measured ?? []) counter.inc({ control }, count)
  }
}
