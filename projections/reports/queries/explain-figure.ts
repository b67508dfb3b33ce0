import type { Figure } from '#services/finance/reports/figure'
import type { ReportParameters } from '#services/finance/reports/report-types'
import { unreachable } from '#services/foundation/decider'
import type { Queryable } from '#services/foundation/queryable'
import type { Explanation } from './explanation.ts'
import { factContributions } from './fact-contributions.ts'
import { ledgerContributions } from './ledger-contributions.ts'
import type { Page } from './page.ts'
import { isServed } from './served.ts'

/**
 * A page of the events behind a figure, with what each adds. Null if the read model does not serve
 * the parameters (`isServed`).
 */
export async function explainFigure(
  db: Queryable,
  figure: Figure,
  parameters: ReportParameters,
  page: Page,
): Promise<Explanation | null> {
  if (!(await isServed(db, parameters))) return null
  switch (figure.report) {
    case 'revenue':
    case 'recognized':
    case 'trial-balance':
    case 'journal':
    case 'adjustments':
      return ledgerContributions(db, figure.report, figure, parameters, page)
    case 'mrr':
    case 'subscriptions':
    case 'retention':
    case 'failed-payments':
    case 'refunds':
      return factContributions(db, figure, parameters, page)
    default:
      return unreachable(figure.report)
  }
}
