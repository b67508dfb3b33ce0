import { z } from 'zod'
import type { ReportName } from '#contracts/finance/report-columns'
import { lastDay } from '#services/finance/reports/months-of'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { groupColumnsOf, groupOf } from '../group-of.ts'
import { monthsOfFigure, type AskedFigure } from './asked-figure.ts'
import type { Explanation } from './explanation.ts'
import { placeAfter } from './page.ts'
import { schema } from './served.ts'
import { storedDay } from './stored-texts.ts'

const contributionRow = z.object({
  figure: z.string(),
  month: z.string(),
  seq: integerColumn,
  ordinal: z.int(),
  event_id: z.string(),
  user_id: z.string(),
  day: z.string(),
  amount: integerColumn,
})

/** The contributions by month, then in the order of the log. */
export async function factContributions(
  db: Queryable,
  report: ReportName,
  asked: AskedFigure,
): Promise<Explanation> {
  const { row, parts, parameters, page } = asked
  const months = monthsOfFigure(asked)
  if (months === null) return { contributions: [], next: null }
  const [month = 0, seq = 0, ordinal = 0] = placeAfter(page, 3)
  const rows = await allRows(
    db,
    contributionRow,
    `SELECT figure, month, seq, ordinal, event_id, user_id, day, amount FROM ${schema}.contribution
     WHERE report = $1 AND "group" = $2 AND figure = ANY ($3) AND month ${months.isOnlyLast ? '=' : '<='} $4
       AND (month, seq, ordinal) > ($5, $6, $7) AND day <= $8 AND amount <> 0
     ORDER BY month, seq, ordinal LIMIT $9`,
    [
      report,
      groupOf(row),
      Object.keys(parts.signs),
      months.last,
      monthOfNumber(month),
      seq,
      ordinal,
      lastDay(parameters),
      page.limit + 1,
    ],
  )
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  return {
    contributions: shown.map((each) => ({
      eventId: each.event_id,
      userId: each.user_id,
      day: storedDay(each.day),
      row: { ...groupColumnsOf(row), month: each.month },
      column: each.figure,
      amount: (parts.signs[each.figure] ?? 0) * each.amount,
    })),
    next:
      last === undefined || rows.length === shown.length
        ? null
        : `${last.month.replace('-', '')}.${last.seq}.${last.ordinal}`,
  }
}

function monthOfNumber(month: number): string {
  const digits = String(month).padStart(6, '0')
  return `${digits.slice(0, 4)}-${digits.slice(4)}`
}
