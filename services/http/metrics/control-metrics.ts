import { Counter, Gauge, type Registry } from 'prom-client'
import type { Measure } from './measure.ts'

export interface MeasuredControls {
  /** How often each control fired, also one that never fired. */
  readonly firings: readonly { readonly control: string; readonly firings: number }[]
  readonly parkedCustomers: number
}

/** Returns a function that a scrape calls to set the state of the controls. */
export function controlMetrics(
  registry: Registry,
  controls: () => Promise<MeasuredControls>,
  measure: Measure,
): () => Promise<void> {
  const registers = [registry]
  const counter = new Counter({
    name: 'billing_control_firings_total',
    help: 'Events that broke the rule of a control, since the first event of the log.',
    labelNames: ['control'],
    registers,
  })
  const parked = new Gauge({
    name: 'billing_control_parked_customers',
    help: 'Customers of whom the controls cannot fold an event. The events from this one on wait.',
    registers,
  })
  const read = measure('controls', controls)

  return async () => {
    const { value } = await read()
    counter.reset()
    for (const { control, firings } of value?.firings ?? []) counter.inc({ control }, firings)
    if (value === undefined) parked.remove()
    else parked.set(value.parkedCustomers)
  }
}
