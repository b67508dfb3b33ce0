import { firstDayOf } from '#services/finance/calendar'
import { lineRows, type LineReport } from '#services/finance/reports/lines'
import { lastDay } from '#services/finance/reports/months-of'
import type { ReportParameters, ReportRow } from '#services/finance/reports/report-types'
import type { Queryable } from '#services/foundation/queryable'
import { readBookings } from './bookings.ts'
import { pageOfBookings, type Page } from './page.ts'
import { isServed } from './served.ts'

interface LinesPage {
  /** With the customer, as `user_id`. */
  readonly rows: readonly ReportRow[]
  /** Null on the last page. */
  readonly next: string | null
}

/**
 * A page of the lines of the ledger, in the order in which a replay lists them. Null if the read
 * model does not serve the parameters (`isServed`).
 */
export async function readLines(
  db: Queryable,
  name: LineReport,
  parameters: ReportParameters,
  page: Page,
): Promise<LinesPage | null> {
  if (!(await isServed(db, parameters))) return null
  const { currency, from } = parameters
  const wanted = {
    through: lastDay(parameters),
    from: from === null ? null : firstDayOf(from),
    isEarning: false,
    isAfterClose: name === 'adjustments',
    text: currency,
    lastSeq: page.lastSeq ?? null,
  }
  const { items: rows, next } = await pageOfBookings(
    page,
    (fromSeq, limit) => readBookings(db, { ...wanted, fromSeq }, limit),
    ({ userId, entries }) =>
      entries
        .filter((entry) => currency === null || entry.currency === currency)
        .flatMap((entry) => lineRows(name, entry, parameters))
        .map((row) => ({ ...row, user_id: userId })),
  )
  return { rows, next }
}
