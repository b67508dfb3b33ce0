import type { ReportName } from '#contracts/finance/report-columns'
import { decimalOf, minorOf } from './amounts.ts'
import { columnsOf, type Row } from './columns.ts'

/**
 * The columns that can be added over all rows: flows, and the balances of all accounts. Null: the
 * report has no sums.
 */
const added: Readonly<Record<ReportName, readonly string[] | null>> = {
  revenue: ['gross', 'refunds', 'credits', 'disputes', 'tax', 'net', 'platform_fees'],
  mrr: ['new', 'expansion', 'contraction', 'churn', 'reactivation'],
  subscriptions: null,
  retention: null,
  recognized: ['recognized'],
  'failed-payments': [
    'failed',
    'failed_attempts',
    'failed_amount',
    'recovered',
    'recovered_amount',
    'written_off',
    'written_off_amount',
    'open',
    'open_amount',
  ],
  refunds: ['refunds', 'amount'],
  'trial-balance': ['debit', 'credit'],
  journal: null,
  adjustments: null,
}

/** The sums of the rows, which are of one currency. Null: the report has no sums. */
export function totalRow(
  name: ReportName,
  rows: readonly Row[],
  currency: string | null,
): Row | null {
  const names = added[name]
  if (names === null || rows.length < 2) return null
  const total: Record<string, string | number> = currency === null ? {} : { currency }
  for (const column of columnsOf(name)) {
    if (!names.includes(column.name)) continue
    const sum = rows.reduce((whole, row) => whole + minorOf(String(row[column.name] ?? 0)), 0)
    total[column.name] =
      column.kind === 'amount' && currency !== null ? decimalOf(sum, currency) : sum
  }
  return total
}
