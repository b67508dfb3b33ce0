import { addMonths } from '#services/finance/calendar'
import type { FigureParts } from '#services/finance/reports/parts-of-figure'
import type { ReportParameters, ReportRow } from '#services/finance/reports/report-types'
import type { Page } from './page.ts'
import { storedMonth } from './stored-texts.ts'

/** A figure of a report, and the page of its contributions that is asked for. */
export interface AskedFigure {
  readonly row: ReportRow
  readonly parts: FigureParts
  readonly parameters: ReportParameters
  readonly page: Page
}

/** The last month of contributions, and whether they are of this month only. */
export function monthsOfFigure({ row, parts }: AskedFigure) {
  if (!('month' in row)) return null
  const month = storedMonth(row['month'])
  return {
    last: parts.months === 'before' ? addMonths(month, -1) : month,
    isOnlyLast: parts.months === 'of',
  }
}
