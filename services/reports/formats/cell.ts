import { currencyExponent, toMajorUnits } from '#contracts/currency'
import type { ReportColumn } from '#contracts/finance/report-columns'
import { unreachable } from '#services/foundation/decider'
import { count, day, text, type Cell } from '#services/tables/cell'
import type { ReportRow } from '#services/finance/reports/report-types'
import { currencyOf } from './value-of.ts'

/** The decimals of a rate: 0.0345 is 3.45 %. */
const rateDecimals = 4

/** A value as a typed cell of CSV and XLSX files. */
export function cellOf(row: ReportRow, { name, kind }: ReportColumn): Cell {
  const value = row[name] ?? null
  if (value === null) return null
  switch (kind) {
    case 'amount': {
      const currency = currencyOf(row)
      return {
        kind: 'number',
        value: toMajorUnits(Number(value), currency),
        decimals: currencyExponent(currency),
      }
    }
    case 'count':
      return count(Number(value))
    case 'days':
      return { kind: 'number', value: Number(value), decimals: 1 }
    case 'rate':
      return { kind: 'number', value: Number(value), decimals: rateDecimals }
    case 'day':
      return day(String(value))
    case 'month':
    case 'text':
    case 'id':
    case 'currency':
      return text(String(value))
    default:
      return unreachable(kind)
  }
}
