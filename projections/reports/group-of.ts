import type { ReportRow } from '#services/finance/reports/report-types'

/** The columns that identify a row, in every report, without the month. */
const groupColumns = ['cohort', 'plan', 'type', 'reason', 'account', 'currency'] as const

/** The columns that identify a row, without the month. */
export function groupColumnsOf(row: ReportRow): ReportRow {
  return Object.fromEntries(
    groupColumns.flatMap((column) => (column in row ? [[column, row[column] ?? null]] : [])),
  )
}

/** The same as JSON: equal texts are equal rows. */
export function groupOf(row: ReportRow): string {
  return JSON.stringify(Object.values(groupColumnsOf(row)))
}
