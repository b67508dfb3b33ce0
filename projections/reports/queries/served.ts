import { schemaOf } from '#projections/engine/read-model'
import type { ReportParameters } from '#services/finance/reports/report-types'
import type { Queryable } from '#services/foundation/queryable'
import { readProgress } from '../fold/progress.ts'
import { reports } from '../read-model.ts'

export const schema = schemaOf(reports)

/**
 * Whether the read model answers these parameters. It does not know when events were recorded, it
 * has the days of one time zone, and it does not refuse a foreign close in words, as a replay does.
 * Without events it answers any parameters: there are no figures.
 */
export async function isServed(
  db: Queryable,
  { knownAt, timeZone }: ReportParameters,
): Promise<boolean> {
  if (knownAt !== null) return false
  const progress = await readProgress(db, schema)
  return progress === null || (progress.timeZone === timeZone && !progress.hasForeignClose)
}
