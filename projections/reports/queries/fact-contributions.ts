import { z } from 'zod'
import { parseUserId } from '#contracts/ids'
import { isRowOf, monthsOfFigure, type Figure } from '#services/finance/reports/figure'
import { lastDay } from '#services/finance/reports/months-of'
import { partsOfFigure } from '#services/finance/reports/parts-of-figure'
import type { ReportParameters, ReportRow } from '#services/finance/reports/report-types'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { billingStream } from '#services/foundation/stream-names'
import { groupColumnsOf, groupOf } from '../group-of.ts'
import type { Explanation } from './explanation.ts'
import { placeAfter, type Page } from './page.ts'
import { schema } from './served.ts'
import { rowText, storedDay } from './stored-texts.ts'

const contributionRow = z.object({
  group: z.string(),
  figure: z.string(),
  month: z.string(),
  seq: integerColumn,
  ordinal: z.int(),
  event_id: z.string(),
  user_id: z.string(),
  revision: z.int(),
  day: z.string(),
  amount: integerColumn,
})

/** The contributions by month, then in the order of the log. */
export async function factContributions(
  db: Queryable,
  figure: Figure,
  parameters: ReportParameters,
  page: Page,
): Promise<Explanation> {
  const months = monthsOfFigure(figure, parameters)
  if (months === null) return { contributions: [], next: null }
  const { signs } = partsOfFigure(figure.report, figure.column)
  const groups = await groupsOf(db, figure, parameters)
  const [month = 0, seq = 0, ordinal = 0] = placeAfter(page, 3)
  const rows = await allRows(
    db,
    contributionRow,
    `SELECT "group", figure, month, seq, ordinal, event_id, user_id, revision, day, amount FROM ${schema}.contribution
     WHERE report = $1 AND "group" = ANY ($2) AND figure = ANY ($3) AND month BETWEEN $4 AND $5
       AND (month, seq, ordinal) > ($6, $7, $8) AND seq <= $9 AND day <= $10 AND amount <> 0
     ORDER BY month, seq, ordinal LIMIT $11`,
    [
      figure.report,
      [...groups.keys()],
      Object.keys(signs),
      months.first ?? '',
      months.last,
      monthOfNumber(month),
      seq,
      ordinal,
      page.lastSeq ?? Number.MAX_SAFE_INTEGER,
      lastDay(parameters),
      page.limit + 1,
    ],
  )
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  return {
    contributions: shown.map((each) => ({
      seq: each.seq,
      eventId: each.event_id,
      stream: billingStream(parseUserId(each.user_id)),
      revision: each.revision,
      day: storedDay(each.day),
      row: { ...groups.get(each.group), month: each.month },
      column: each.figure,
      amount: (signs[each.figure] ?? 0) * each.amount,
    })),
    next:
      last === undefined || rows.length === shown.length
        ? null
        : `${last.month.replace('-', '')}.${last.seq}.${last.ordinal}`,
  }
}

/** The rows of the figure without their month, by group. A figure of all rows has several. */
async function groupsOf(
  db: Queryable,
  figure: Figure,
  parameters: ReportParameters,
): Promise<ReadonlyMap<string, ReportRow>> {
  const rows = await allRows(
    db,
    z.object({ row: rowText }),
    `SELECT DISTINCT "row" FROM ${schema}.month_sum WHERE report = $1`,
    [figure.report],
  )
  const isOfFigure = isRowOf(figure, parameters)
  return new Map(
    rows
      .map(({ row }) => row)
      .filter(isOfFigure)
      .map((row) => [groupOf(row), groupColumnsOf(row)]),
  )
}

function monthOfNumber(month: number): string {
  const digits = String(month).padStart(6, '0')
  return `${digits.slice(0, 4)}-${digits.slice(4)}`
}
