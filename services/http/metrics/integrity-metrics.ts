import { Gauge, type Registry } from 'prom-client'
import type { Measure } from './measure.ts'

export interface MeasuredIntegrity {
  readonly works: readonly {
    readonly work: string
    readonly ageSeconds: number
    readonly failure: string | null
  }[]
  /** Erasures of which the database's files can still have texts. */
  readonly uncleaned: { readonly count: number; readonly ageSeconds: number }
}

/** Returns a function that a scrape calls to set the age of what protects the log. */
export function integrityMetrics(
  registry: Registry,
  integrity: () => Promise<MeasuredIntegrity>,
  measure: Measure,
): () => Promise<void> {
  const registers = [registry]
  const ofWork = { labelNames: ['work'], registers }
  const age = new Gauge({
    name: 'integrity_age_seconds',
    help: 'Seconds since the log was verified, sealed or backed up last, or a month was closed. Since the installation before the first time.',
    ...ofWork,
  })
  const failed = new Gauge({
    name: 'integrity_failed',
    help: '1 if the last verification, seal or backup failed.',
    ...ofWork,
  })
  const uncleaned = new Gauge({
    name: 'erasures_uncleaned',
    help: "Erasures of which the database's files can still have texts.",
    registers,
  })
  const uncleanedAge = new Gauge({
    name: 'erasures_uncleaned_age_seconds',
    help: "Age of the oldest erasure of which the database's files can still have texts. 0 without one.",
    registers,
  })
  const read = measure('integrity', integrity)

  return async () => {
    const { value } = await read()
    age.reset()
    failed.reset()
    for (const { work, ageSeconds, failure } of value?.works ?? []) {
      age.set({ work }, ageSeconds)
      failed.set({ work }, failure === null ? 0 : 1)
    }
    uncleaned.set(value?.uncleaned.count ?? NaN)
    uncleanedAge.set(value?.uncleaned.ageSeconds ?? NaN)
  }
}
