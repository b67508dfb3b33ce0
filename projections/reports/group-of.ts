import type { ReportRow } from '#services/finance/reports/report-types'

/** The columns that identify a row, in every report. */
const keyColumns = ['cohort', 'plan', 'type', 'reason', 'account', 'currency'] as const

/** The columns that identify a row, without the month, as JSON. */
export function groupOf(row: ReportRow): string {
  return JSON.stringify(keyColumns.flatMap((column) => (column in row ? [row[column]] : [])))
}
