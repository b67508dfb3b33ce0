import { partOfFigure, type Figure } from '#services/finance/reports/figure'
import type { EventsAsked, FigureEvents } from '#services/finance/reports/figure-event'
import { lineContributions, type LineReport } from '#services/finance/reports/lines'
import { lastDay } from '#services/finance/reports/months-of'
import type { ReportParameters } from '#services/finance/reports/report-types'
import type { Queryable } from '#services/foundation/queryable'
import { readBooking } from './bookings.ts'
import { partOfEntries } from './entry-parts.ts'
import { placedPage } from './placed-page.ts'

/**
 * The event of a line of the ledger.
 * @throws Error without `entry_id`
 */
export async function explainLine(
  db: Queryable,
  report: LineReport,
  figure: Figure,
  parameters: ReportParameters,
  { after }: EventsAsked,
): Promise<FigureEvents> {
  const [eventId] = figure.key['entry_id']?.split('/') ?? []
  if (eventId === undefined)
    throw new Error(`A figure of the report ${report} has no entry_id. Check it with kindOfFigure.`)
  const booking = await readBooking(db, eventId, lastDay(parameters))
  const parts =
    booking === null
      ? []
      : partOfEntries(
          booking,
          booking.entries.flatMap((entry) => lineContributions(report, entry, parameters)),
          partOfFigure(figure, parameters),
        )
  return {
    ...(await placedPage(
      db,
      parts.filter(({ seq }) => seq > (after ?? 0)),
    )),
    total: parts.length,
    sum: parts.reduce((sum, { adds }) => sum + adds, 0),
    next: null,
  }
}
