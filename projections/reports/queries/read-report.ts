import { reportNames, type ReportName } from '#contracts/finance/report-columns'
import { lastDay } from '#services/finance/reports/months-of'
import type { ReportParameters, ReportRow } from '#services/finance/reports/report-types'
import { unreachable } from '#services/foundation/decider'
import type { Queryable } from '#services/foundation/queryable'
import { changeRows } from './change-rows.ts'
import { balanceOf, recognizedOf, revenueOf } from './ledger-rows.ts'
import { loadRecognition, loadSums } from './load-sums.ts'
import { isServed } from './served.ts'

/** The reports with a row per month or balance. The others have lines: `readLines`. */
export type SummaryName = Exclude<ReportName, 'journal' | 'adjustments'>

export const summaryNames = reportNames.filter(
  (name): name is SummaryName => name !== 'journal' && name !== 'adjustments',
)

/**
 * The rows of a report, as a replay of the log computes them. Null if the read model does not serve
 * the parameters (`isServed`): the caller replays the log.
 */
export async function readReport(
  db: Queryable,
  name: SummaryName,
  parameters: ReportParameters,
): Promise<readonly ReportRow[] | null> {
  if (!(await isServed(db, parameters))) return null
  const through = lastDay(parameters)
  const sums = await loadSums(db, name, through, parameters)
  switch (name) {
    case 'revenue':
      return revenueOf(sums, parameters)
    case 'recognized':
      return recognizedOf(sums, await loadRecognition(db, through, parameters), parameters)
    case 'trial-balance':
      return balanceOf(sums, await loadRecognition(db, through, parameters))
    case 'mrr':
    case 'subscriptions':
    case 'retention':
    case 'failed-payments':
    case 'refunds':
      return changeRows[name](sums, parameters)
    default:
      return unreachable(name)
  }
}
