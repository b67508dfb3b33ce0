import { Gauge, type Registry } from 'prom-client'
import type { Measure } from './measure.ts'

/** The effects of one reactor that wait. */
export interface MeasuredOutbox {
  readonly reactor: string
  readonly waiting: number
  readonly failing: number
  readonly dead: number
  readonly oldestSeconds: number
  readonly unattendedSeconds: number
}

/** Returns a function that a scrape calls to set the effects of every reactor. */
export function outboxMetrics(
  registry: Registry,
  outbox: () => Promise<readonly MeasuredOutbox[]>,
  measure: Measure,
): () => Promise<void> {
  const registers = [registry]
  const reactorLabel = { labelNames: ['reactor'], registers }
  const gauges = {
    waiting: new Gauge({
      name: 'reactor_outbox_waiting',
      help: 'Side effects of a reactor that have not succeeded yet.',
      ...reactorLabel,
    }),
    failing: new Gauge({
      name: 'reactor_outbox_failing',
      help: 'Side effects of a reactor that failed five times or more and are retried.',
      ...reactorLabel,
    }),
    dead: new Gauge({
      name: 'reactor_outbox_dead',
      help: 'Side effects of a reactor whose last attempt failed. An operator retries them.',
      ...reactorLabel,
    }),
    oldest: new Gauge({
      name: 'reactor_outbox_oldest_age_seconds',
      help: 'Age of the oldest side effect of a reactor that has not succeeded yet. 0 without one.',
      ...reactorLabel,
    }),
    unattended: new Gauge({
      name: 'reactor_unattended_seconds',
      help: 'Seconds since a process last moved the checkpoint of a reactor. More than 60: no process runs the reactor.',
      ...reactorLabel,
    }),
  }
  const read = measure('outbox', outbox)

  return async () => {
    const { value } = await read()
    for (const gauge of Object.values(gauges)) gauge.reset()
    for (const { reactor, ...values } of value ?? []) {
      gauges.waiting.set({ reactor }, values.waiting)
      gauges.failing.set({ reactor }, values.failing)
      gauges.dead.set({ reactor }, values.dead)
      gauges.oldest.set({ reactor }, values.oldestSeconds)
      gauges.unattended.set({ reactor }, values.unattendedSeconds)
    }
  }
}
