import type { Recognized } from '../ledger/recognized.ts'
import type { Revenue } from '../ledger/revenue.ts'
import type { TrialBalance } from '../ledger/trial-balance.ts'
import { isReported, lastMonth } from './months-of.ts'
import type { ReportParameters, ReportRow } from './report-types.ts'

/* The rows of the reports that read the ledger. The sums are those up to the last day. */

export function revenueRows(
  revenue: Pick<Revenue, 'rows'>,
  parameters: ReportParameters,
): readonly ReportRow[] {
  return revenue
    .rows()
    .filter(({ month }) => isReported(month, parameters))
    .map(({ planName, ...row }) => ({ ...row, plan: planName }))
}

export function recognizedRows(
  recognized: Pick<Recognized, 'rows'>,
  parameters: ReportParameters,
): readonly ReportRow[] {
  return recognized
    .rows(lastMonth(parameters))
    .filter(({ month }) => isReported(month, parameters))
    .map(({ deferredAtEnd, ...row }) => ({ ...row, deferred_at_end: deferredAtEnd }))
}

export function balanceRows(balance: Pick<TrialBalance, 'rows'>): readonly ReportRow[] {
  return balance.rows().map((row) => ({ ...row }))
}
