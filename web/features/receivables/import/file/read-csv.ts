import { CsvError, parse, type Options } from 'csv-parse/browser/esm/sync'
import { FileRefusal } from './file-refusal.ts'
import type { FileRow } from './file-row.ts'
import { maxRowLength, refuseLongRow, refuseManyRows, refuseWideRow } from './limits.ts'

const separators = [',', ';', '\t', '|'] as const

const shape = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  // A quote in the middle of a cell is a character, as in 12" pipe.
  relax_quotes: true,
  // csv-parse makes an error object for each row of another length, also if it is relaxed.
  skip_empty_lines: true,
} as const satisfies Options

/** A row is numbered as in a spreadsheet: a line break within quotes begins no row. */
export function readCsv(text: string): readonly FileRow[] {
  const { separator, table } = withoutSeparatorLine(text)
  const rows: FileRow[] = []
  let row = 0
  let lines = 0
  parsed(
    table,
    {
      ...shape,
      delimiter: separator ?? likelySeparator(table),
      max_record_size: maxRowLength,
      // Empty rows take no memory: a file can end with a million of them.
      on_record: (cells: readonly string[], { empty_lines }) => {
        lines += 1
        row = lines + empty_lines
        if (cells.every((cell) => cell.trim() === '')) return null
        refuseWideRow(row, cells.length)
        rows.push({ row, cells: cells.map(withoutGuard) })
        refuseManyRows(rows.length)
        return null
      },
    },
    () => row + 1,
  )
  return rows
}

/** Exports, also the product's, write an apostrophe before a text that could be a formula. */
const withoutGuard = (cell: string) => cell.replace(/^'(?=[=+\-@])/, '')

function parsed(text: string, options: Options, nextRow: () => number): void {
  try {
    parse(text, options)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    if (error.code === 'CSV_MAX_RECORD_SIZE') refuseLongRow(nextRow(), maxRowLength + 1)
    if (error.code === 'CSV_QUOTE_NOT_CLOSED')
      throw new FileRefusal(
        `A quotation mark in row ${nextRow().toLocaleString('en-US')} has no end. Correct the row, and choose the file again.`,
      )
    throw new FileRefusal(`Row ${nextRow().toLocaleString('en-US')} cannot be read as CSV.`)
  }
}

/** Excel takes the separator from a first line such as `sep=;`, and shows no row for it. */
function withoutSeparatorLine(text: string): {
  readonly separator: string | null
  readonly table: string
} {
  const [line = '', separator = null] = /^"?sep=(.)"?[ \t]*(?:\r\n|\n|\r)/i.exec(text) ?? []
  return { separator, table: text.slice(line.length) }
}

/**
 * The separator that gives the most cells in rows of the same length. Amounts such as `1.234,50`
 * put commas into a file that has semicolons, but not into its header.
 */
function likelySeparator(text: string): string {
  const sample = text.slice(0, 100_000)
  const cells = separators.map((separator) => alikeCells(sample, separator))
  return separators[cells.indexOf(Math.max(...cells))] ?? ','
}

function alikeCells(sample: string, separator: string): number {
  const lengths = new Map<number, number>()
  try {
    parse(sample, {
      ...shape,
      delimiter: separator,
      to: 100,
      on_record: (cells: readonly string[]) => {
        if (cells.length > 1) lengths.set(cells.length, (lengths.get(cells.length) ?? 0) + 1)
        return null
      },
    })
  } catch (error) {
    // The sample can end within quotes. What was read until there is enough.
    if (!(error instanceof CsvError)) throw error
  }
  return Math.max(0, ...[...lengths].map(([length, rows]) => length * rows))
}
