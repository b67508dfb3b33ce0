import type { ReportName } from '#contracts/finance/report-columns'

/** The reports whose figures are explained by bookings. The others have rows of contributions. */
const names = ['revenue', 'recognized', 'trial-balance'] as const
export type LedgerReport = (typeof names)[number]

export function isLedgerReport(name: ReportName): name is LedgerReport {
  return names.some((each) => each === name)
}
