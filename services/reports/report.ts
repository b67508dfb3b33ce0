import type { ReportName } from '#contracts/finance/report-columns'
import type { AccountingDates } from '#services/finance/accounting-date'
import type { FinanceEvent } from '#services/finance/finance-event'
import type {
  Contribution,
  ReportParameters,
  ReportRow,
} from '#services/finance/reports/report-types'

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
  readonly handles: ReadonlySet<FinanceEvent['type']>
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
