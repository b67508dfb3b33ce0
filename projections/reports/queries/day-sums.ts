import { z } from 'zod'
import type { Day, Month } from '#services/finance/calendar'
import { isRowOf, type Figure } from '#services/finance/reports/figure'
import { partsOfFigure } from '#services/finance/reports/parts-of-figure'
import type { ReportParameters } from '#services/finance/reports/report-types'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { groupsOfKey, rowOfGroup } from './groups.ts'
import { schema } from './served.ts'

/** The days that count for a figure. `first` null: from the first month. */
export interface FigureDays {
  readonly first: Month | null
  readonly last: Month
  readonly through: Day
}

const daySumRow = z.object({
  group: z.string(),
  month: z.string(),
  events: integerColumn,
  amount: integerColumn,
})

/** How many events are behind a figure, and what they add, by group and month. */
export async function daySums(
  db: Queryable,
  figure: Figure,
  parameters: Pick<ReportParameters, 'currency'>,
  { first, last, through }: FigureDays,
): Promise<readonly z.output<typeof daySumRow>[]> {
  const { report, column, key } = figure
  const { currency } = parameters
  const { stored } = partsOfFigure(report, column)
  const rows = await allRows(
    db,
    daySumRow,
    `SELECT "group", month, sum(events) AS events, sum(amount) AS amount FROM ${schema}.figure_day
     WHERE report = $1 AND figure = $2 AND ($3::text[] IS NULL OR "group" = ANY ($3))
       AND month BETWEEN $4 AND $5 AND day <= $6
     GROUP BY "group", month`,
    [
      report,
      stored.column,
      groupsOfKey(report, currency === null ? key : { ...key, currency }),
      first ?? '',
      last,
      through,
    ],
  )
  const isOfFigure = isRowOf(figure, parameters)
  return rows
    .filter(({ group }) => isOfFigure(rowOfGroup(report, group)))
    .map((row) => ({ ...row, amount: stored.sign * row.amount }))
}
