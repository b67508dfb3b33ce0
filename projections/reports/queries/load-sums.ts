import { z } from 'zod'
import type { ReportName } from '#contracts/finance/report-columns'
import { firstDayOf, monthOf, type Day } from '#services/finance/calendar'
import type { ReportParameters, ReportRow } from '#services/finance/reports/report-types'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { recognitionRow } from '../fold/recognition-months.ts'
import { schema } from './served.ts'
import { rowText } from './stored-texts.ts'

/** The sum of a figure in a month, up to the last day. */
export interface FigureSum {
  /** The month in which the contributions count. */
  readonly month: string
  /** The columns that identify the row. */
  readonly row: ReportRow
  readonly figure: string
  readonly amount: number
}

const sumRow = z.object({
  month: z.string(),
  row: rowText,
  figure: z.string(),
  amount: integerColumn,
})

/** The sums of a report to the end of `through`: whole months, and the days of the last month. */
export async function loadSums(
  db: Queryable,
  report: ReportName,
  through: Day,
  { currency }: Pick<ReportParameters, 'currency'>,
): Promise<readonly FigureSum[]> {
  const month = monthOf(through)
  const sums = await allRows(
    db,
    sumRow,
    `SELECT period AS month, "row", figure, amount FROM ${schema}.month_sum WHERE report = $1 AND period < $2
     UNION ALL
     SELECT $2, "row", figure, sum(amount)::bigint FROM ${schema}.day_sum
     WHERE report = $1 AND period BETWEEN $3 AND $4 GROUP BY "row", figure`,
    [report, month, firstDayOf(month), through],
  )
  return sums.filter(({ row }) => isOfCurrency(row, currency))
}

/** A report without amounts has no column `currency`. */
function isOfCurrency(row: ReportRow, currency: string | null): boolean {
  return currency === null || !('currency' in row) || row['currency'] === currency
}

export interface RecognitionSum {
  readonly currency: string
  readonly month: string
  readonly amount: number
}

/** The recognition of each month with an entry, to the end of `through`. */
export async function loadRecognition(
  db: Queryable,
  through: Day,
  { currency }: Pick<ReportParameters, 'currency'>,
): Promise<readonly RecognitionSum[]> {
  const last = monthOf(through)
  const rows = await allRows(
    db,
    recognitionRow,
    `SELECT currency, month, amounts, entries FROM ${schema}.recognition
     WHERE month <= $1 AND ($2::text IS NULL OR currency = $2)`,
    [last, currency],
  )
  return rows.flatMap((row) => {
    const day = row.month === last ? Number(through.slice(8)) - 1 : row.amounts.length - 1
    return row.entries[day]
      ? [{ currency: row.currency, month: row.month, amount: row.amounts[day] ?? 0 }]
      : []
  })
}
