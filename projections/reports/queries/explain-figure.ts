import { lastDayOf, type Day } from '#services/finance/calendar'
import { monthsOfFigure, type Figure } from '#services/finance/reports/figure'
import type { EventsAsked, FigureEvents } from '#services/finance/reports/figure-event'
import { lastDay } from '#services/finance/reports/months-of'
import type { ReportParameters } from '#services/finance/reports/report-types'
import type { Queryable } from '#services/foundation/queryable'
import { isOfRecognition } from '../of-recognition.ts'
import { explainLine } from './explain-line.ts'
import { explainRecognition } from './explain-recognition.ts'
import { explainStored } from './explain-stored.ts'
import { isServed } from './served.ts'

/**
 * A page of the events behind a figure, with the number and the sum of all of them. Its cost does
 * not grow with the events: they are read from `after` on, and number and sum are stored by day.
 * Null if the read model does not serve the parameters (`isServed`). Run it on one snapshot.
 * @throws Error for a figure of a line without `entry_id`
 */
export async function explainFigure(
  db: Queryable,
  figure: Figure,
  parameters: ReportParameters,
  asked: EventsAsked,
): Promise<FigureEvents | null> {
  if (!(await isServed(db, parameters))) return null
  const { report, key } = figure
  if (report === 'journal' || report === 'adjustments')
    return explainLine(db, report, figure, parameters, asked)
  const months = monthsOfFigure(figure, parameters)
  // The debits of an entry are its credits: over all accounts, no event adds anything.
  const isOfAllAccounts = report === 'trial-balance' && key['account'] === undefined
  if (months === null || isOfAllAccounts) return { events: [], total: 0, sum: 0, next: null }
  const { first, last } = months
  const through = lastDay(parameters)
  const isOfLedger = report === 'recognized' || report === 'trial-balance'
  if (!isOfLedger || !isOfRecognition(report, key))
    return explainStored(db, figure, parameters, { first, last, through }, asked)
  // A month that has not ended counts up to the last day. A month before it has whole entries.
  const days = { first, last, through: earlier(through, lastDayOf(last)) }
  return explainRecognition(db, report, figure, parameters, days, asked)
}

function earlier(a: Day, b: Day): Day {
  return a < b ? a : b
}
