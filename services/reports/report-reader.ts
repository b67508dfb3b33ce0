import type { ReportName } from '#contracts/finance/report-columns'
import type { Instant } from '#contracts/instant'
import type { Day, Month } from '#services/finance/calendar'
import type { FigureParts, Figure } from './figure.ts'
import type { ReportFile } from './formats/report-file.ts'
import type { ReportParameters } from '#services/finance/reports/report-types'

/** What one event adds to a figure. */
export interface FigureEvent {
  readonly stream: string
  readonly revision: number
  /** The first accounting date of what it adds. */
  readonly day: Day
  /** Minor units, or a count. Never 0. */
  readonly adds: number
}

interface ExplainedFigure {
  /** In the order of the log. */
  readonly events: readonly FigureEvent[]
  /** The log's position that the figure covers. Null: no event is known. */
  readonly position: string | null
}

interface ReportsState {
  /** The month of the first event of billing. */
  readonly firstMonth: Month | null
  /** This month and all months before it are closed. */
  readonly closedThrough: Month | null
  readonly position: string | null
}

/** Reads reports for the administrator's pages. */
export interface ReportReader {
  report(name: ReportName, parameters: ReportParameters, computedAt: Instant): ReportFile
  /** `parts` are those of the figure. */
  explain(
    figure: Figure,
    parts: FigureParts,
    parameters: ReportParameters,
  ): Promise<ExplainedFigure>
  state(): Promise<ReportsState>
}
