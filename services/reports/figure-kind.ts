import { isFigure, reports, type ReportColumn } from '#contracts/finance/report-columns'
import { parseMonth } from '#services/finance/calendar'
import type { Figure } from '#services/finance/reports/figure'
import { partsOfFigure } from '#services/finance/reports/parts-of-figure'
import type { ReportParameters } from '#services/finance/reports/report-types'

/** What the events behind a figure add. */
interface FigureKind {
  /** Whether it is money, in minor units of the row's currency. */
  readonly isAmount: boolean
  /** False for a rate or a median: the events are those that it is computed from. */
  readonly isSum: boolean
}

const monthColumns = ['month', 'cohort', 'closed_month'] as const

/** @returns a sentence that names the wrong value, if there is no such figure */
export function kindOfFigure(
  { report, column, key }: Figure,
  parameters: ReportParameters,
): FigureKind | string {
  const columns: readonly ReportColumn[] = reports[report].columns
  const figures = columns.filter(isFigure).map(({ name }) => name)
  if (!figures.includes(column))
    return `The report ${report} has no figure '${column}'. Use ${figures.join(', ')}.`
  const unknown = Object.keys(key).find((name) => !columns.some((each) => each.name === name))
  if (unknown !== undefined) return `The report ${report} has no column '${unknown}'. Leave it out.`
  const wrong = monthColumns.find((name) => key[name] !== undefined && !parseMonth(key[name]))
  if (wrong !== undefined) return `${wrong} ${key[wrong]} is no month. Write it as 2026-03.`

  const isLine = columns.some(({ name }) => name === 'entry_id')
  if (isLine && key['entry_id'] === undefined)
    return `entry_id is required: a figure of the report ${report} is one line's. Write the entry_id of its row.`

  const { signs, months, isSum } = partsOfFigure(report, column)
  const isAmount = columns.some(({ name, kind }) => kind === 'amount' && Object.hasOwn(signs, name))
  if (isAmount && parameters.currency === null)
    return 'currency is required: the amounts of two currencies are not added together. Write it as usd.'
  const isOfMonth = columns.some(({ name }) => name === 'month') && (months !== 'of' || !isSum)
  if (isOfMonth && key['month'] === undefined)
    return `month is required: '${column}' is a figure of one month. Write it as 2026-03.`
  return { isAmount, isSum }
}
