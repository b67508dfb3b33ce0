import { describe, expect, it } from '@jest/globals'
import { CsvError, parse, type Options } from 'csv-parse/sync'
import fc from 'fast-check'
import { amount, text } from '#services/tables/cell'
import { csvRows } from '#services/tables/csv'

/** How programs read the file: by RFC 4180, and those that expect another separator. */
const readers = {
  'by RFC 4180': { delimiter: ',' },
  'with semicolons': { delimiter: ';', relax_quotes: true },
  'with semicolons, without quotes': { delimiter: ';', quote: null },
  'with tabs': { delimiter: '\t', quote: null },
} as const satisfies Readonly<Record<string, Options>>

function cellsIn(file: string, reader: Options): readonly string[] {
  try {
    const rows = parse(file, {
      ...reader,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n', '\r'],
    }) as readonly (readonly string[])[]
    return rows.flat()
  } catch (error) {
    // To a program, a quote without an end has its end at the end of the file.
    if (error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED')
      return cellsIn(`${file}"`, reader)
    throw error
  }
}

/** The cells that a spreadsheet runs. A program can ignore quotes and spaces before a formula. */
function formulasIn(file: string, reader: Options): readonly string[] {
  return cellsIn(file, reader).filter(
    (cell) => /^["\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠−﹢﹣﹦﹫]/u.test(cell) && cell !== '-39.50',
  )
}

const pieces = [
  '=1+1',
  '+',
  '-',
  '@',
  '＝',
  '＋',
  '−',
  '\u200b',
  ';',
  ',',
  '\t',
  '\n',
  '\r',
  '"',
  "'",
  ' ',
  'A',
  '1',
]
const arbitraryText = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(''))
const fileOf = (given: string) => csvRows([[text('B'), text(given), amount(-39.5, 'usd')]])

describe.each(Object.entries(readers))('a CSV file that a program reads %s', (_, reader) => {
  it.each([
    '=1+1',
    'A;=1+1',
    'A;B;-1',
    'A,B;@SUM(A1)',
    'A;"=1+1;B"',
    'A; =1+1',
    'A\t+1',
    'A\n=1+1',
    'A\r=1+1',
    'A\r\n=1+1',
    'A;＝1+1',
    '\u200b=1+1',
    'A;\u2212 1+1',
    '\ufeff﹦1+1',
  ])('has no formula in the text %j', (given) => {
    expect(formulasIn(fileOf(given), reader)).toEqual([])
  })

  it('has no formula in any text', () => {
    fc.assert(
      fc.property(arbitraryText, (given) => {
        expect(formulasIn(fileOf(given), reader)).toEqual([])
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('a CSV file', () => {
  it('has negative amounts as numbers, and texts without formulas as they are', () => {
    expect(csvRows([[text('Smith; Sons'), text('a-b=c'), amount(-39.5, 'usd')]])).toBe(
      '"Smith; Sons",a-b=c,-39.50\r\n',
    )
  })

  it('has each row in one record, whatever line break a text has', () => {
    fc.assert(
      fc.property(arbitraryText, (given) => {
        const rows = parse(fileOf(given), { record_delimiter: ['\r\n', '\n', '\r'] }) as string[][]
        expect(rows).toHaveLength(1)
        expect(rows[0]?.[1]?.replaceAll("'", '')).toBe(given.replaceAll("'", ''))
        expect(rows[0]?.[2]).toBe('-39.50')
      }),
    )
  })
})
