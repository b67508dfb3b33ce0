import type { BillingEvent } from '#contracts/events/billing'
import type { ReportName } from '#contracts/finance/report-columns'
import type { Instant } from '#contracts/instant'
import type { AccountingDates } from '#services/finance/accounting-date'
import type { Day, Month } from '#services/finance/calendar'
import type { FinanceEvent } from '#services/finance/finance-event'
import type { TimeZone } from '#services/finance/time-zone'

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

/** One run of a report over the log. */
interface ReportRun {
  /** Takes the next event, in position order. Returns the rows that it completes. */
  add(event: FinanceEvent): readonly ReportRow[]
  /** The other rows. Call it once, after the last event. */
  finish(): Iterable<ReportRow>
}

export interface Report {
  readonly name: ReportName
  /** The types of the events that change the report. The others are not even decoded. */
  readonly handles: ReadonlySet<BillingEvent['type']>
  /** `dates` are those of the position that the caller has reached. */
  begin(parameters: ReportParameters, dates: AccountingDates): ReportRun
  /**
   * Begins an explanation. The returned function takes the next event, in position order, and
   * returns what the event adds to the figures. Null: each row of the report names its event.
   */
  readonly explain:
    | ((
        parameters: ReportParameters,
        dates: AccountingDates,
      ) => (event: FinanceEvent) => readonly Contribution[])
    | null
}
