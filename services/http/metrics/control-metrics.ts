import { Counter, type Registry } from 'prom-client'
import type { Measure } from './measure.ts'

/** How often a control fired. */
export interface MeasuredControl {
  readonly control: string
  readonly firings: number
}

/** Returns a function that a scrape calls to set how often every control fired. */
export function controlMetrics(
  registry: Registry,
  firings: () => Promise<readonly MeasuredControl[]>,
  measure: Measure,
): () => Promise<void> {
  const counter = new Counter({
    name: 'billing_control_firings_total',
    help: 'Events that broke the rule of a control, since the first event of the log.',
    labelNames: ['control'],
    registers: [registry],
  })
  const read = measure('controls', firings)

  return async () => {
    const { value } = await read()
    counter.reset()
    for (const { control, firings: count } of value ?? []) counter.inc({ control }, count)
  }
}
