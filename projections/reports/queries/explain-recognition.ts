import { z } from 'zod'
import { addDays, firstDayOf, type Day } from '#services/finance/calendar'
import type { Entry } from '#services/finance/ledger/entry'
import {
  balanceContributions,
  recognizedContributions,
} from '#services/finance/reports/entry-contributions'
import { partOfFigure, type Figure } from '#services/finance/reports/figure'
import type { EventsAsked, FigureEvents } from '#services/finance/reports/figure-event'
import { partsOfFigure } from '#services/finance/reports/parts-of-figure'
import type { Contribution, ReportParameters } from '#services/finance/reports/report-types'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { oneRow } from '#services/foundation/rows'
import { readBookings } from './bookings.ts'
import { daySums, type FigureDays } from './day-sums.ts'
import { partOfEntries } from './entry-parts.ts'
import { loadRecognition } from './load-sums.ts'
import { pageOfBookings } from './page.ts'
import { placedPage } from './placed-page.ts'
import { schema } from './served.ts'

type RecognitionReport = 'recognized' | 'trial-balance'

const contributionsOf = {
  recognized: recognizedContributions,
  'trial-balance': balanceContributions,
} as const satisfies Readonly<Record<RecognitionReport, (entry: Entry) => readonly Contribution[]>>

/**
 * A page of the events of a figure that recognition moves. What an event adds depends on the day:
 * its booking says it.
 */
export async function explainRecognition(
  db: Queryable,
  report: RecognitionReport,
  figure: Figure,
  parameters: ReportParameters,
  days: FigureDays,
  { after, limit }: EventsAsked,
): Promise<FigureEvents> {
  const { first, through } = days
  const currency = figure.key['currency'] ?? parameters.currency
  const moves = movesOf(figure)
  const sums = await daySums(db, figure, parameters, days)
  const recognition = await loadRecognition(db, through, { currency })
  const total =
    moves.stock === null
      ? await recognizedCount(db, currency, days)
      : sums.reduce((count, { events }) => count + events, 0)
  const wanted = {
    through,
    from: firstDayWanted(moves, days),
    isEarning: true,
    isAfterClose: false,
    text: null,
    lastSeq: null,
  }
  const partOf = partOfFigure(figure, parameters)
  const { items, next } = await pageOfBookings(
    { after: `${(after ?? 0) + 1}.0`, limit },
    (fromSeq, size) => readBookings(db, { ...wanted, fromSeq }, size),
    (booking) => partOfEntries(booking, booking.entries.flatMap(contributionsOf[report]), partOf),
  )
  return {
    ...(await placedPage(db, items)),
    total,
    sum:
      sums.reduce((sum, { amount }) => sum + amount, 0) +
      recognition
        .filter(({ month }) => first === null || month >= first)
        .reduce((sum, { amount }) => sum + moves.sign * amount, 0),
    next: next === null ? null : (items.at(-1)?.seq ?? null),
  }
}

/** How the recognition of an amount moves a figure. */
interface Moves {
  readonly sign: 1 | -1
  /**
   * `deferred`: an event is behind the figure until all is recognized. `recognized`: from then on.
   * Null: the figure is of months, and not of their end.
   */
  readonly stock: 'deferred' | 'recognized' | null
}

function movesOf({ report, column, key }: Figure): Moves {
  if (report === 'recognized')
    return column === 'recognized' ? { sign: 1, stock: null } : { sign: -1, stock: 'deferred' }
  // As `debit` adds them.
  const { sign } = partsOfFigure(report, column).stored
  return key['account'] === 'revenue'
    ? { sign: sign === 1 ? -1 : 1, stock: 'recognized' }
    : { sign, stock: 'deferred' }
}

/**
 * The events before this day are not behind the figure. By its last day, all that an event defers
 * is recognized.
 */
function firstDayWanted({ stock }: Moves, { first, through }: FigureDays): Day | null {
  if (stock === 'deferred') return addDays(through, 1)
  return stock === 'recognized' || first === null ? null : firstDayOf(first)
}

const countRow = z.object({ events: integerColumn })

/** How many events recognize revenue in the months. */
async function recognizedCount(
  db: Queryable,
  currency: string | null,
  { first, through }: FigureDays,
): Promise<number> {
  const { events } = await oneRow(
    db,
    countRow,
    `SELECT coalesce(sum(events), 0) AS events FROM ${schema}.recognized_count
     WHERE ($1::text IS NULL OR currency = $1) AND from_month <= $2 AND day <= $3`,
    [currency, first ?? '', through],
  )
  return events
}
