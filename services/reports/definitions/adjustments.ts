import { journalRow, lineReport } from './line-report.ts'

/** The months of the report are those in which the adjustments are booked. */
export const adjustmentsReport = lineReport('adjustments', (line) =>
  line.adjusts === null ? null : { closed_month: line.adjusts, ...journalRow(line) },
)
