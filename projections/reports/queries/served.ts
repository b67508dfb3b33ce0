import { z } from 'zod'
import { parseMonth } from '#services/finance/calendar'
import { oneRow } from '#services/foundation/rows'
import { schemaOf } from '#projections/engine/read-model'
import type { ReportParameters } from '#services/finance/reports/report-types'
import type { Queryable } from '#services/foundation/queryable'
import { readProgress, type Progress } from '../fold/progress.ts'
import { reports } from '../read-model.ts'

export const schema = schemaOf(reports)

/**
 * Whether the read model answers these parameters. It does not know when events were recorded, it
 * has the days of one time zone, and it does not refuse a foreign close in words, as a replay does.
 * Without events it answers any parameters: there are no figures.
 */
export async function isServed(db: Queryable, parameters: Asked): Promise<boolean> {
  return parameters.knownAt === null && serves(await readProgress(db, schema), parameters)
}

type Asked = Pick<ReportParameters, 'knownAt' | 'timeZone'>

function serves(progress: Progress | null, { knownAt, timeZone }: Asked): boolean {
  return (
    knownAt === null &&
    (progress === null || (progress.timeZone === timeZone && !progress.hasForeignClose))
  )
}

const closedRow = z.object({ month: z.string().nullable() })

/** What the read model has folded. Pages with this `lastSeq` show this state. */
export async function readCoverage(db: Queryable) {
  const progress = await readProgress(db, schema)
  const { month } = await oneRow(
    db,
    closedRow,
    `SELECT max(month) AS month FROM ${schema}.closed_month`,
  )
  return {
    firstMonth: progress?.first?.month ?? null,
    closedThrough: month === null ? null : parseMonth(month),
    lastSeq: progress?.lastSeq ?? 0,
    serves: (parameters: Asked) => serves(progress, parameters),
  }
}
