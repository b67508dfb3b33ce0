import type { ColumnKind, ReportColumn } from '#contracts/finance/report-columns'
import type { ReportRow } from '#services/finance/reports/report-types'
import type { ReportFile } from './report-file.ts'
import { valueOf } from './value-of.ts'

/**
 * A table for a terminal: the title, aligned columns, and a line with the time zone and the
 * position. Keeps all rows in memory to align them.
 */
export async function* textTable({
  title,
  columns,
  parameters,
  rows,
  position,
}: ReportFile): AsyncGenerator<string> {
  const all: ReportRow[] = []
  for await (const batch of rows()) for (const row of batch) all.push(row)
  const parts = Object.entries(parameters)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key} ${value}`)
  yield `${title}\n${parts.join(', ')}, position ${position() ?? 'none: no event is known'}\n\n`
  yield alignedTable(columns, all)
  if (all.length === 0) yield 'No rows.\n'
}

/** What a table for a terminal needs of a column. */
export type TableColumn = Pick<ReportColumn, 'name' | 'kind'>

/** The names of the columns and the rows, aligned, each on a line. */
export function alignedTable(columns: readonly TableColumn[], rows: readonly ReportRow[]): string {
  const lines = [
    columns.map(({ name }) => name.replaceAll('_', ' ')),
    ...rows.map((row) => columns.map((column) => inTable(valueOf(row, column), column))),
  ]
  const widths = columns.map((_, index) =>
    lines.reduce((width, line) => Math.max(width, line[index]?.length ?? 0), 0),
  )
  const aligned = lines.map((line) =>
    line
      .map((cell, index) =>
        isNumber(columns[index])
          ? cell.padStart(widths[index] ?? 0)
          : cell.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
  return `${aligned.join('\n')}\n`
}

const numbers: readonly (ColumnKind | undefined)[] = ['amount', 'count', 'days', 'rate']

function isNumber(column: TableColumn | undefined): boolean {
  return numbers.includes(column?.kind)
}

/** Groups the digits of an amount: `1,234.50`. */
function inTable(value: string | number | null, { kind }: TableColumn): string {
  if (value === null) return ''
  if (kind !== 'amount' && kind !== 'count') return String(value)
  return String(value).replace(/^-?\d+/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ','))
}
