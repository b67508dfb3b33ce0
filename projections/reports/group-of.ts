import type { ReportRow } from '#services/finance/reports/report-types'

/** The columns that identify a row, in every report, without the month. */
export const groupColumns = ['cohort', 'plan', 'type', 'reason', 'account', 'currency'] as const

/** The values of these columns as JSON: equal texts are equal rows. */
export function groupOf(row: ReportRow): string {
  const values: ReportRow[string][] = []
  for (const column of groupColumns) if (column in row) values.push(row[column] ?? null)
  return JSON.stringify(values)
}
