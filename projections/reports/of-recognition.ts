import type { ReportName } from '#contracts/finance/report-columns'
import type { ReportRow } from '#services/finance/reports/report-types'

/**
 * Whether recognition moves the figures of a row. What an event adds to them depends on the day, so
 * its booking says it, and no row of `figure_event`.
 */
export function isOfRecognition(report: ReportName, row: ReportRow): boolean {
  return (
    report === 'recognized' ||
    (report === 'trial-balance' &&
      (row['account'] === 'revenue' || row['account'] === 'deferred_revenue'))
  )
}
