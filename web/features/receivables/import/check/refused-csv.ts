import { stringify } from 'csv-stringify/browser/esm/sync'
import { guardedParts, needsQuotes } from '#contracts/formula-guard'
import type { Table } from '../table/table.ts'

interface RefusedLine {
  readonly row: number
  readonly reason: string
  /** By column of the table. */
  readonly cells: readonly string[]
}

/**
 * The refused rows as CSV, with the reasons in front. The merchant can correct the rows and import
 * the file: the names of its columns are known.
 */
export function refusedCsv({ columns }: Table, refused: readonly RefusedLine[]): string {
  const lines = [
    ['Row', 'Why', ...columns.map(({ name }) => name)],
    ...refused.map(({ row, reason, cells }) => [String(row), reason, ...cells]),
  ]
  const guarded = lines.map((cells) =>
    cells.map((cell) => (isNumber(cell) ? cell : guardedParts(cell))),
  )
  // Excel reads UTF-8 with a byte order mark only.
  return `\ufeff${stringify(guarded, { record_delimiter: 'windows', quoted_match: needsQuotes })}`
}

/** No spreadsheet runs a number: `-60.00` is a text here, and stays as it is. */
const isNumber = (text: string) => /^-?\d[\d.,]*$/.test(text)
