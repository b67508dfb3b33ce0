import type { ReportName } from '#contracts/finance/report-columns'
import { addMonths, parseMonth, type Month } from '../calendar.ts'
import { isReported, lastMonth } from './months-of.ts'
import { partsOfFigure } from './parts-of-figure.ts'
import type { Contribution, ReportParameters, ReportRow } from './report-types.ts'

/** A figure of a report: a column, and the texts that its rows have. */
export interface Figure {
  readonly report: ReportName
  readonly column: string
  /** By column. An empty text is an empty cell. A missing column selects all rows. */
  readonly key: Readonly<Record<string, string>>
}

/**
 * The months whose contributions count. `first` null: all months to the last. Null: no month, as
 * the report does not have the month of the figure.
 */
export function monthsOfFigure(
  { report, column, key }: Figure,
  parameters: ReportParameters,
): { readonly first: Month | null; readonly last: Month } | null {
  const { months } = partsOfFigure(report, column)
  const month = parseMonth(key['month'] ?? '')
  if (month === null)
    return {
      first: months === 'of' ? parameters.from : null,
      last: lastMonth(parameters),
    }
  if (!isReported(month, parameters)) return null
  return {
    first: months === 'of' ? month : null,
    last: months === 'before' ? addMonths(month, -1) : month,
  }
}

/** Whether a row, with or without its month, is one of the figure. */
export function isRowOf(
  { key }: Figure,
  { currency }: Pick<ReportParameters, 'currency'>,
): (row: ReportRow) => boolean {
  const { month: _month, ...others } = key
  const texts = Object.entries(others)
  return (row) =>
    texts.every(([name, text]) => String(row[name] ?? '') === text) &&
    (currency === null || !('currency' in row) || row['currency'] === currency)
}

/**
 * What a contribution adds to the figure: 0 for one of another figure. Pass contributions of all
 * months, because those of a stock are of earlier months.
 */
export function partOfFigure(
  figure: Figure,
  parameters: ReportParameters,
): (contribution: Contribution) => number {
  const { signs } = partsOfFigure(figure.report, figure.column)
  const months = monthsOfFigure(figure, parameters)
  if (months === null) return () => 0
  const { first, last } = months
  const isOfRow = isRowOf(figure, parameters)
  const isOfMonths = ({ month }: ReportRow) =>
    typeof month !== 'string' || ((first === null || month >= first) && month <= last)
  return ({ row, column, amount }) =>
    Object.hasOwn(signs, column) && isOfRow(row) && isOfMonths(row)
      ? (signs[column] ?? 0) * amount
      : 0
}
