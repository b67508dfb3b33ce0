import { unreachable } from '#services/foundation/decider'
import type { Queryable } from '#services/foundation/queryable'
import type { ReportParameters, ReportRow } from '#services/finance/reports/report-types'
import { partsOfFigure } from '#services/finance/reports/parts-of-figure'
import type { Explanation } from './explanation.ts'
import { factContributions } from './fact-contributions.ts'
import { ledgerContributions } from './ledger-contributions.ts'
import type { Page } from './page.ts'
import type { SummaryName } from './read-report.ts'
import { isServed } from './served.ts'

export interface Figure {
  /** The columns that identify the row. Other columns are ignored. */
  readonly row: ReportRow
  readonly column: string
}

/**
 * A page of the events behind a figure of `readReport`, with what each adds. Null if the read model
 * does not serve the parameters (`isServed`).
 */
export async function explainFigure(
  db: Queryable,
  name: SummaryName,
  figure: Figure,
  parameters: ReportParameters,
  page: Page,
): Promise<Explanation | null> {
  if (!(await isServed(db, parameters))) return null
  const asked = { ...figure, parts: partsOfFigure(name, figure.column), parameters, page }
  switch (name) {
    case 'revenue':
    case 'recognized':
    case 'trial-balance':
      return ledgerContributions(db, name, asked)
    case 'mrr':
    case 'subscriptions':
    case 'retention':
    case 'failed-payments':
    case 'refunds':
      return factContributions(db, name, asked)
    default:
      return unreachable(name)
  }
}
