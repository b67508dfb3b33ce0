import { CsvError, parse, type Options } from 'csv-parse/browser/esm/sync'
import { formatCount } from '../../../../lib/money.ts'
import { FileRefusal } from './file-refusal.ts'
import type { FileRow } from './file-row.ts'
import { maxRowLength, refuseLongRow, refuseManyRows, refuseWideRow } from './limits.ts'

const separators = [',', ';', '\t', '|'] as const

const shape = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  // A quote in the middle of a cell is a character, as in 12" pipe.
  relax_quotes: true,
  skip_empty_lines: true,
} as const satisfies Options

/** A row is numbered as in a spreadsheet: a line break within quotes begins no row. */
export function readCsv(text: string): readonly FileRow[] {
  const { stated, table } = withoutSeparatorLine(text)
  const { separator, cells } = likelyShape(table, stated === null ? separators : [stated])
  const rows: FileRow[] = []
  let row = 0
  let lines = 0
  // csv-parse makes an error object for each row of another length than the first, also if it is
  // relaxed. A first row of the usual length saves them below a title.
  const first = `${separator.repeat(Math.max(0, cells - 1))}\n`
  parsed(
    first + table,
    {
      ...shape,
      delimiter: separator,
      max_record_size: maxRowLength,
      // Empty rows take no memory: a file can end with a million of them.
      on_record: (values: readonly string[], { empty_lines }) => {
        lines += 1
        // For one cell, the first row is an empty line.
        row = lines + empty_lines - 1
        if (values.every((value) => value.trim() === '')) return null
        refuseWideRow(row, values.length)
        rows.push({ row, cells: values.map(withoutGuard) })
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
        `A quotation mark in row ${formatCount(nextRow())} has no end. Correct the row, and choose the file again.`,
      )
    throw new FileRefusal(`Row ${formatCount(nextRow())} cannot be read as CSV.`)
  }
}

/** Excel takes the separator from a first line such as `sep=;`, and shows no row for it. */
function withoutSeparatorLine(text: string): {
  readonly stated: string | null
  readonly table: string
} {
  const [line = '', stated = null] = /^"?sep=(.)"?[ \t]*(?:\r\n|\n|\r)/i.exec(text) ?? []
  return { stated, table: text.slice(line.length) }
}

interface Shape {
  readonly separator: string
  /** Of most rows. */
  readonly cells: number
  readonly score: number
}

/**
 * The separator that gives the most cells in rows of the same length. Amounts such as `1.234,50`
 * put commas into a file that has semicolons, but not into its header.
 */
function likelyShape(text: string, candidates: readonly string[]): Shape {
  const sample = text.slice(0, 100_000)
  return candidates
    .map((separator) => shapeWith(sample, separator))
    .reduce((best, next) => (next.score > best.score ? next : best))
}

function shapeWith(sample: string, separator: string): Shape {
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
  return [...lengths]
    .map(([cells, rows]) => ({ separator, cells, score: cells * rows }))
    .reduce((best, next) => (next.score > best.score ? next : best), {
      separator,
      cells: 1,
      score: 0,
    })
}
