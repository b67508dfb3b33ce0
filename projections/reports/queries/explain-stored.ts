import { z } from 'zod'
import type { Figure } from '#services/finance/reports/figure'
import type { EventsAsked, FigureEvents } from '#services/finance/reports/figure-event'
import { partsOfFigure } from '#services/finance/reports/parts-of-figure'
import type { ReportParameters } from '#services/finance/reports/report-types'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { daySums, type FigureDays } from './day-sums.ts'
import { placedPage } from './placed-page.ts'
import { schema } from './served.ts'
import { storedDay } from './stored-texts.ts'

const eventRow = z.object({ seq: integerColumn, day: z.string(), amount: integerColumn })

/**
 * A page of the events of a figure with a stored row per event. An event adds to one group and one
 * month of a figure. So the lists of all groups and months are merged: of each, as many events as
 * the page has are read at most.
 */
export async function explainStored(
  db: Queryable,
  figure: Figure,
  parameters: ReportParameters,
  days: FigureDays,
  { after, limit }: EventsAsked,
): Promise<FigureEvents> {
  const { stored } = partsOfFigure(figure.report, figure.column)
  const sums = await daySums(db, figure, parameters, days)
  const lists = sums.filter(({ events }) => events !== 0)
  const rows = await allRows(
    db,
    eventRow,
    `SELECT e.seq, e.day, e.amount FROM unnest($3::text[], $4::text[]) AS list ("group", month)
     CROSS JOIN LATERAL (
       SELECT seq, day, amount FROM ${schema}.figure_event f
       WHERE report = $1 AND figure = $2 AND f."group" = list."group" AND f.month = list.month
         AND seq > $5 AND day <= $6
       ORDER BY seq LIMIT $7
     ) AS e ORDER BY e.seq LIMIT $7`,
    [
      figure.report,
      stored.column,
      lists.map(({ group }) => group),
      lists.map(({ month }) => month),
      after ?? 0,
      days.through,
      limit + 1,
    ],
  )
  const page = rows.slice(0, limit)
  return {
    ...(await placedPage(
      db,
      page.map(({ seq, day, amount }) => ({
        seq,
        day: storedDay(day),
        adds: stored.sign * amount,
      })),
    )),
    total: lists.reduce((total, { events }) => total + events, 0),
    sum: sums.reduce((sum, { amount }) => sum + amount, 0),
    next: rows.length > limit ? (page.at(-1)?.seq ?? null) : null,
  }
}
