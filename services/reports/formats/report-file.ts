import type { ReportColumn } from '#contracts/finance/report-columns'
import type { ReportRow } from '#services/finance/reports/report-types'

/** The formats of a report. `table` is for a terminal. */
export const reportFormats = ['table', 'csv', 'xlsx', 'json'] as const
export type ReportFormat = (typeof reportFormats)[number]

/** A report that is being computed: what a file of any format is made of. */
export interface ReportFile {
  readonly name: string
  readonly title: string
  readonly columns: readonly ReportColumn[]
  /** As texts, by name: what was asked for, and the settings that the figures depend on. */
  readonly parameters: Readonly<Record<string, string | null>>
  /** When the report was computed. */
  readonly computedAt: string
  /** The rows in batches. */
  rows(): AsyncIterable<readonly ReportRow[]>
  /** The log's position that the report covers. Known after the last row. Null: no event. */
  position(): string | null
}
