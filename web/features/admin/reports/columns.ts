import { codeInWords } from '#contracts/code-in-words'
import { reports, type ReportColumn, type ReportName } from '#contracts/finance/report-columns'
import type { ReportResponse } from '#contracts/admin/reports'
import { formatDay } from '../../../lib/dates.ts'
import { formatCount } from '../../../lib/money.ts'
import { groupDigits, percent } from './amounts.ts'
import { monthInWords } from './months.ts'

export type Row = ReportResponse['rows'][number]

export const columnsOf = (name: ReportName): readonly ReportColumn[] => reports[name].columns

/** `deferred_at_end` is `Deferred at end`. */
export function titleOf({ name }: Pick<ReportColumn, 'name'>): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A cell in words. Null: the cell is empty. */
export function valueInWords(row: Row, { name, kind }: ReportColumn): string | null {
  const value = row[name] ?? null
  if (value === null) return nameOfEmpty[name] ?? null
  switch (kind) {
    case 'amount':
      return groupDigits(String(value))
    case 'count':
      return formatCount(Number(value))
    case 'rate':
      return percent(String(value))
    case 'month':
      return monthInWords(String(value))
    case 'day':
      return formatDay(String(value))
    case 'currency':
      return String(value).toUpperCase()
    case 'text':
      return name === 'plan' ? String(value) : codeInWords(String(value))
    case 'days':
    case 'id':
      return String(value)
  }
}

const nameOfEmpty: Readonly<Record<string, string>> = {
  plan: 'Unknown plan',
  reason: 'No reason given',
}

/** The currencies of the rows, in their order. One null for a report without amounts. */
export function currenciesOf(name: ReportName, rows: readonly Row[]): readonly (string | null)[] {
  if (!columnsOf(name).some(({ kind }) => kind === 'currency')) return [null]
  return [...new Set(rows.map((row) => String(row['currency'])))].sort()
}

export const ofCurrency = (rows: readonly Row[], currency: string | null) =>
  currency === null ? rows : rows.filter((row) => row['currency'] === currency)
