import type { ReportColumn } from '#contracts/finance/report-columns'
import { unreachable } from '#services/foundation/decider'
import type { ReportRow } from '#services/finance/reports/report-types'
import { decimalAmount } from './decimal-amount.ts'

/** The value of a column as JSON and CSV have it. An amount is a decimal text in major units. */
export function valueOf(
  row: ReportRow,
  { name, kind }: Pick<ReportColumn, 'name' | 'kind'>,
): string | number | null {
  const value = row[name] ?? null
  if (value === null) return null
  switch (kind) {
    case 'amount':
      return decimalAmount(Number(value), currencyOf(row))
    case 'count':
    case 'days':
      return Number(value)
    case 'month':
    case 'day':
    case 'text':
    case 'id':
    case 'currency':
    case 'rate':
      return String(value)
    default:
      return unreachable(kind)
  }
}

/** The currency of a row's amounts. @throws Error if the row has none. This is a bug. */
export function currencyOf(row: ReportRow): string {
  const currency = row['currency']
  if (typeof currency !== 'string')
    throw new Error('A row of a report has an amount and no currency. This is a bug; report it.')
  return currency
}
