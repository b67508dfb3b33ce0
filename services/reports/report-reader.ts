import type { ReportName } from '#contracts/finance/report-columns'
import type { Instant } from '#contracts/instant'
import type { Month } from '#services/finance/calendar'
import type { Figure } from '#services/finance/reports/figure'
import type { EventsAsked, FigureEvents } from '#services/finance/reports/figure-event'
import type { ReportParameters } from '#services/finance/reports/report-types'
import type { ReportFile } from './formats/report-file.ts'

export interface ExplainedFigure extends FigureEvents {
  /** The log's position that the figure covers. Null: no event is known. */
  readonly position: string | null
}

export interface ReportsState {
  /** The month of the first event that a report reads. */
  readonly firstMonth: Month | null
  /** This month and all months before it are closed. */
  readonly closedThrough: Month | null
  readonly position: string | null
  /** Since when an event that cannot be folded stops the figures. Null: they continue. */
  readonly pausedSince: Instant | null
  /** The customers of whom an event cannot be folded: the figures lack their later events. */
  readonly parkedCustomers: number
  /** The events that an operator has skipped and that the figures lack. */
  readonly skippedEvents: number
}

interface ReportRequest {
  /** The business clock's time. */
  readonly computedAt: string
  /** Ends the work with an error: the client has disconnected. */
  readonly signal: AbortSignal
  /** The figures have all events, or the rows reject: a file has no notice beside them. */
  readonly ofAllEvents?: boolean
}

/**
 * Reads reports for the administrator's pages. Calls, and the rows of a file, reject with HttpError
 * 503 if they cannot be answered now.
 */
export interface ReportReader {
  report(name: ReportName, parameters: ReportParameters, request: ReportRequest): ReportFile
  explain(
    figure: Figure,
    parameters: ReportParameters,
    asked: EventsAsked,
    signal: AbortSignal,
  ): Promise<ExplainedFigure>
  state(signal: AbortSignal): Promise<ReportsState>
}
