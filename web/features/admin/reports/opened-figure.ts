import type { ReportParametersGiven } from '#contracts/admin/reports'
import {
  isFigure,
  reports,
  type ReportColumn,
  type ReportName,
} from '#contracts/finance/report-columns'
import type { FigureQuery } from '../../../api/reports-api.ts'
import { titleOf, valueInWords, type Row } from './columns.ts'

/** A figure whose events a person asks for. */
export interface OpenedFigure {
  readonly name: ReportName
  readonly parameters: ReportParametersGiven
  /** The texts of the columns that identify the row. A missing column: all rows. */
  readonly key: RowKey
  readonly column: string
  /** For people: `Net, Jan 2028, Monthly Plan`. */
  readonly title: string
}

export type OpenFigure = (figure: OpenedFigure) => void

type RowKey = Pick<
  FigureQuery,
  'month' | 'cohort' | 'plan' | 'type' | 'reason' | 'account' | 'entry_id' | 'closed_month'
>

const keyColumns = [
  'month',
  'cohort',
  'plan',
  'type',
  'reason',
  'account',
  'entry_id',
  'closed_month',
] as const satisfies readonly (keyof RowKey)[]

/** The figure of a row's column, with the parameters of the report. */
export function openedFigure(
  name: ReportName,
  parameters: ReportParametersGiven,
  row: Row,
  column: ReportColumn,
): OpenedFigure {
  const key = Object.fromEntries(
    keyColumns.flatMap((each): [string, string][] => {
      const value = row[each]
      return value === undefined ? [] : [[each, String(value ?? '')]]
    }),
  )
  const currency = row['currency']
  return {
    name,
    parameters: { ...parameters, ...(typeof currency === 'string' && { currency }) },
    key,
    column: column.name,
    title: [titleOf(column), ...rowInWords(name, row)].join(', '),
  }
}

/** The texts that identify a row, for people. */
export function rowInWords(name: ReportName, row: Row): readonly string[] {
  return reports[name].columns
    .filter(
      (column: ReportColumn) =>
        !isFigure(column) &&
        column.kind !== 'id' &&
        column.kind !== 'currency' &&
        column.name in row,
    )
    .flatMap((column) => valueInWords(row, column) ?? [])
}
