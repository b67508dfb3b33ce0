import type { Figure } from '#services/finance/reports/figure'
import type { LineReport } from '#services/finance/reports/lines'
import type { EventsAsked } from '#services/finance/reports/figure-event'
import type { ReportParameters, ReportRow } from '#services/finance/reports/report-types'
import type { ReportName } from '#contracts/finance/report-columns'
import type { ExplainedFigure, ReportsState } from './report-reader.ts'

/** What the read model of the reports has folded at one moment. */
export interface Coverage extends ReportsState {
  /** The last event with effects. Pages that end with it show the same state. */
  readonly lastSeq: number
  /**
   * Whether the queries answer these parameters. False: the report is computed from the log.
   */
  serves(parameters: Pick<ReportParameters, 'knownAt' | 'timeZone'>): boolean
}

interface Page {
  /** `next` of the page before. Null begins the list. */
  readonly after: string | null
  readonly limit: number
  readonly lastSeq: number
}

/** The queries of the read model of the reports. Aborting `signal` ends the statements. */
export interface ReportQueries {
  /** @throws HttpError 503 while the read model is being built */
  ready(): Promise<void>
  coverage(): Promise<Coverage>
  /** The rows and their position, of one moment. Null: not served. */
  rows(
    name: Exclude<ReportName, LineReport>,
    parameters: ReportParameters,
    signal: AbortSignal,
  ): Promise<{
    readonly rows: readonly ReportRow[]
    readonly position: string | null
  } | null>
  /** Lines of the ledger. The rows can have more columns than the report. Null: not served. */
  lines(
    name: LineReport,
    parameters: ReportParameters,
    page: Page,
    signal: AbortSignal,
  ): Promise<{
    readonly rows: readonly ReportRow[]
    readonly next: string | null
  } | null>
  /** A page of the events behind a figure, of one moment. Null: not served. */
  events(
    figure: Figure,
    parameters: ReportParameters,
    asked: EventsAsked,
    signal: AbortSignal,
  ): Promise<ExplainedFigure | null>
}
