import type { Instant } from '#contracts/instant'
import type { Day, Month } from '../calendar.ts'
import type { TimeZone } from '../time-zone.ts'

/** What a report is asked for. Days and months are in `timeZone`. */
export interface ReportParameters {
  /** The first and the last month. Null: all months with figures, to the month of `asOf`. */
  readonly from: Month | null
  readonly to: Month | null
  /** The last day that counts: what was true by then. */
  readonly asOf: Day
  /**
   * Only events that were recorded by then count: what was known by then. A day includes the whole
   * day. Null: all events.
   */
  readonly knownAt: Day | Instant | null
  /** Null: each currency in separate rows. */
  readonly currency: string | null
  readonly timeZone: TimeZone
}

/**
 * A row: a value per column. Amounts are minor units of the row's `currency`, counts are numbers,
 * rates are texts with 4 decimals. Null is an empty cell.
 */
export type ReportRow = Readonly<Record<string, string | number | null>>

/** What one event adds to one figure of a row. `amount` is in minor units, or a count. */
export interface Contribution {
  readonly eventId: string
  readonly day: Day
  /** The columns that identify the row of the figure. */
  readonly row: ReportRow
  readonly column: string
  readonly amount: number
}
