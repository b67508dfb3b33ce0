import { Counter, Gauge, type Registry } from 'prom-client'
import type { MeasuredWork } from '../admission/admission.ts'

/** Registers the requests of this process by class. A scrape reads them without the database. */
export function workMetrics(registry: Registry, measured: () => readonly MeasuredWork[]): void {
  const labelNames = ['work'] as const
  const registers = [registry]
  new Gauge({
    labelNames,
    registers,
    name: 'work_in_flight',
    help: 'Requests that this process works on, by class of work.',
    collect() {
      for (const { work, running } of measured()) this.set({ work }, running)
    },
  })
  new Gauge({
    labelNames,
    registers,
    name: 'work_queued',
    help: 'Requests that wait for a place, by class of work.',
    collect() {
      for (const { work, waiting } of measured()) this.set({ work }, waiting)
    },
  })
  new Counter({
    labelNames,
    registers,
    name: 'work_refused_total',
    help: 'Requests that this process refused with 503, by class of work.',
    collect() {
      this.reset()
      for (const { work, refused } of measured()) this.inc({ work }, refused)
    },
  })
  new Counter({
    labelNames,
    registers,
    name: 'work_limited_total',
    help: 'Requests that this process answered with 429 before any work: the client had its share of the class, or a rate limit was known to be exceeded.',
    collect() {
      this.reset()
      for (const { work, limited } of measured()) this.inc({ work }, limited)
    },
  })
}
