import type { ReportName } from '#contracts/finance/report-columns'
import { formatMoney } from '../../../lib/money.ts'
import { decimalOf, minorOf, percent } from './amounts.ts'
import { ofCurrency, type Row } from './columns.ts'
import { addMonths, monthInWords, monthsBetween } from './months.ts'

/** A key figure: the sum of a column over the rows of a month. */
export interface KeyFigure {
  readonly label: string
  readonly report: ReportName
  readonly column: string
  /** The rows of the figure, if they are not all rows of the month. */
  readonly of?: { readonly type: string }
}

/** In the order of the page. */
export const keyFigures: readonly KeyFigure[] = [
  { label: 'Net revenue', report: 'revenue', column: 'net' },
  { label: 'MRR', report: 'mrr', column: 'closing' },
  { label: 'Churn rate', report: 'subscriptions', column: 'churn_rate' },
  { label: 'Deferred revenue', report: 'recognized', column: 'deferred_at_end' },
  {
    label: 'Recovered renewals',
    report: 'failed-payments',
    column: 'recovered_amount',
    of: { type: 'renewal' },
  },
  { label: 'Refunds', report: 'refunds', column: 'amount' },
]

export interface KeyFigureValue {
  readonly text: string
  /** Against the month before. */
  readonly change: string
  /** The figure of each month, oldest first: minor units, or ten-thousandths of a rate. */
  readonly course: readonly number[]
}

/**
 * A key figure of a month in a currency; `currency` null for a rate. A month without a row has no
 * money: 0.
 */
export function keyFigureValue(
  { column, of }: Pick<KeyFigure, 'column' | 'of'>,
  rows: readonly Row[],
  month: string,
  currency: string | null,
): KeyFigureValue {
  const own = ofCurrency(rows, currency).filter((row) => !of || row['type'] === of.type)
  const at = (each: string) => valueAt(own, column, each)
  const before = addMonths(month, -1)
  const first = own.map((row) => String(row['month'])).toSorted()[0] ?? month
  const months = monthsBetween(first, month)
  const course = months.map((each) => at(each) ?? 0)
  const [now, then] = [at(month), at(before)]
  if (currency === null)
    return {
      text: now === null ? 'None' : percent(rateOf(now)),
      change:
        now === null || then === null
          ? `No rate in ${monthInWords(before)}`
          : points(now, then, before),
      course,
    }
  const [amount, amountBefore] = [now ?? 0, then ?? 0]
  return {
    text: formatMoney(Number(decimalOf(amount, currency)), currency),
    change: changeOf(amount, amountBefore, before, currency),
    course,
  }
}

/** Null: no row of the month has a value. */
function valueAt(rows: readonly Row[], column: string, month: string): number | null {
  const values = rows
    .filter((row) => row['month'] === month && row[column] != null)
    .map((row) => minorOf(String(row[column])))
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)
}

const rateOf = (tenThousandths: number) => (tenThousandths / 10_000).toFixed(4)

function points(now: number, then: number, before: string): string {
  const difference = now - then
  if (difference === 0) return `Same as ${monthInWords(before)}`
  return `${signOf(difference)}${(Math.abs(difference) / 100).toFixed(2)} points from ${monthInWords(before)}`
}

/** Without a percentage if there was nothing before, or less than nothing. */
function changeOf(now: number, then: number, before: string, currency: string): string {
  const difference = now - then
  if (difference === 0) return `Same as ${monthInWords(before)}`
  if (then <= 0)
    return `${formatMoney(Number(decimalOf(then, currency)), currency)} in ${monthInWords(before)}`
  if (now > then * 10) return `More than 10 times ${monthInWords(before)}`
  const share = Math.abs((difference / then) * 100)
  return `${signOf(difference)}${share.toFixed(1)}% from ${monthInWords(before)}`
}

const signOf = (difference: number) => (difference < 0 ? '\u2212' : '+')
