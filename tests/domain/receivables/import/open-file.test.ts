import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { strToU8, Zip, ZipDeflate, zipSync } from 'fflate'
import { utils, write } from 'xlsx'
import { FileRefusal } from '../../../../web/features/receivables/import/file/file-refusal.ts'
import { openFile } from '../../../../web/features/receivables/import/file/open-file.ts'
import { workbookFile, workbookParts } from '../../../support/receivables/import-files/workbook.ts'

const utf8 = (text: string) => strToU8(text)
const bytesOf = (text: string, bits: 'le' | 'be', mark: boolean) => {
  const codes = Array.from(mark ? `\ufeff${text}` : text, (character) => character.charCodeAt(0))
  return Uint8Array.from(
    codes.flatMap((code) => (bits === 'le' ? [code & 255, code >> 8] : [code >> 8, code & 255])),
  )
}

/** The cells of the proposed sheet with the numbers of their rows. */
async function cellsOf(bytes: Uint8Array) {
  const file = await openFile(bytes)
  return (await file.rowsOf(file.proposed)).map(({ row, cells }) => [row, ...cells])
}

const refusalOf = async (bytes: Uint8Array) => {
  const error = await cellsOf(bytes).catch((caught: unknown) => caught)
  return error instanceof FileRefusal ? error.message : error
}

describe('a CSV file', () => {
  const table = 'Client;Größe\nMüller;"a;b"'

  it.each([
    ['UTF-8', utf8(table)],
    ['UTF-8 with a byte order mark', utf8(`\ufeff${table}`)],
    ['UTF-16 LE', bytesOf(table, 'le', true)],
    ['UTF-16 BE', bytesOf(table, 'be', true)],
    ['UTF-16 LE without a mark', bytesOf(table, 'le', false)],
    ['UTF-16 BE without a mark', bytesOf(table, 'be', false)],
    // Node decodes the euro sign and its neighbors wrongly, browsers rightly.
    ['Windows-1252', Uint8Array.from(table, (character) => character.charCodeAt(0))],
  ])('in %s has its letters', async (_, bytes) => {
    expect(await cellsOf(bytes)).toEqual([
      [1, 'Client', 'Größe'],
      [2, 'Müller', 'a;b'],
    ])
  })

  it.each([
    ['commas', 'a,b,c\n1,"2,5",3\n', ['1', '2,5', '3']],
    ['semicolons beside decimal commas', 'a;b;c\n1;2,50;3,75\n4;5,00;6,00', ['1', '2,50', '3,75']],
    ['tabs', 'a\tb\tc\n1\t2, 5\t3', ['1', '2, 5', '3']],
    ['bars', 'a|b|c\n1|2|3', ['1', '2', '3']],
    ['the separator of its first line', 'sep=;\na;b,c;d\n1;2;3', ['1', '2', '3']],
    ['line ends of an old Mac', 'a,b,c\r1,2,3\r', ['1', '2', '3']],
    ['a line break within quotes', 'a,b,c\r\n1,"2\r\n3",4', ['1', '2\r\n3', '4']],
    ['quotes within quotes', 'a,b,c\n1,"12"" pipe",3', ['1', '12" pipe', '3']],
    ['a quote within a cell', 'a,b,c\n1,12" pipe,3', ['1', '12" pipe', '3']],
    ['a guard against formulas', "a,b,c\n'+1 541,'=1+1,'tis", ['+1 541', '=1+1', "'tis"]],
    ['one column', 'a\n1', ['1']],
  ])('with %s is divided into cells', async (_, text, second) => {
    expect((await cellsOf(utf8(text)))[1]).toEqual([2, ...second])
  })

  it('numbers the rows as a spreadsheet, with empty rows and line breaks in cells', async () => {
    const text = 'Report,,\n,,\n\nNo,Client\n1,"A\nB"\n\n2,C\n,,\n\n\n3,D'
    expect((await cellsOf(utf8(text))).map(([row]) => row)).toEqual([1, 4, 5, 7, 11])
  })

  it.each([
    ['no bytes', '', 'The file is empty.'],
    ['only empty cells', ',,\n,,', 'The file has no rows.'],
    [
      'a quote without an end',
      'a,b\n1,"2\n3,4',
      'A quotation mark in row 2 has no end. Correct the row, and choose the file again.',
    ],
    [
      'a row of 1 MB',
      `a,b\n1,2\n3,${'x'.repeat(1_000_001)}`,
      'Row 3 has more than 1 MB, so it is no row of invoices.',
    ],
    ['300 columns', `${'a,'.repeat(300)}\n`, 'Row 1 has more than 256 columns.'],
    [
      '21,001 rows',
      '1,2\n'.repeat(21_001),
      'The file has more than 20,000 rows. Divide it into several files.',
    ],
    ['zero bytes', 'a,\0\n', 'The file is neither CSV nor XLSX.'],
    [
      'a PDF document',
      '%PDF-1.7',
      'The file is a PDF document. Export the invoices as CSV or XLSX.',
    ],
  ])('with %s is refused', async (_, text, sentence) => {
    expect(await refusalOf(utf8(text))).toBe(sentence)
  })

  it('of more than 10 MB is refused', async () => {
    expect(await refusalOf(new Uint8Array(12_340_000))).toBe(
      'The file has 12.3 MB, and an import takes 10 MB at most. Divide it into several files.',
    )
  })

  it('gives back any cells that csv-stringify would write', async () => {
    const cell = fc
      .string({ unit: 'grapheme' })
      .filter((text) => !/^'|[\p{Cc}\p{Cs}\ufeff]/u.test(text))
    const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 2, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom(',', ';', '\t'), async (table, separator) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
        // A header settles the separator.
        const all = [['Number', 'Client', 'Amount'], ...table]
        const text = all.map((cells) => cells.map(quoted).join(separator)).join('\r\n')
        const read = await cellsOf(utf8(text))
        expect(read).toEqual(
          all
            .map((cells, index) => [index + 1, ...cells])
            .filter((cells) => cells.slice(1).some((each) => String(each).trim() !== '')),
        )
      }),
      { numRuns: 200 },
    )
  })
})

describe('an XLSX file', () => {
  it('has texts, numbers, days and truth values', async () => {
    const bytes = workbookFile({
      sheets: [
        {
          name: 'Invoices',
          rows: [
            [' INV-1 ', 1234.5, { serial: 46_000 }, true, null, 0.1 + 0.2, { serial: 46_000.75 }],
          ],
        },
      ],
    })
    expect(await cellsOf(bytes)).toEqual([
      [
        1,
        ' INV-1 ',
        { number: '1234.5' },
        { day: '2025-12-09' },
        'TRUE',
        '',
        { number: '0.3' },
        { day: '2025-12-09' },
      ],
    ])
  })

  it.each(['1', 'true'])('with date1904="%s" has its days', async (date1904) => {
    const bytes = workbookFile({ date1904, sheets: [{ name: 'A', rows: [[{ serial: 44_538 }]] }] })
    expect(await cellsOf(bytes)).toEqual([[1, { day: '2025-12-09' }]])
    expect((await openFile(bytes)).epoch).toBe(1904)
  })

  it('has the stored value of a formula, and none if none is stored', async () => {
    const formula = '<f>HYPERLINK("https://evil.example","x")</f>'
    const bytes = workbookFile({
      sheets: [
        {
          name: 'A',
          rows: [
            [
              { xml: `${formula}<v>12.5</v>` },
              { xml: `${formula}<v>text</v>`, type: 'str' },
              { xml: formula, type: 'str' },
              { xml: "<f>'[1]Other.xlsx'!A1</f>" },
              { xml: '<f>1/0</f><v>#DIV/0!</v>', type: 'e' },
              'end',
            ],
          ],
        },
      ],
    })
    expect(await cellsOf(bytes)).toEqual([[1, { number: '12.5' }, 'text', '', '', '', 'end']])
  })

  it('has the value of cells that are merged over rows in each row', async () => {
    const bytes = workbookFile({
      sheets: [
        {
          name: 'A',
          rows: [
            ['Title', null],
            ['Alder', 1],
            [null, 2],
            [null, 3],
            ['Birch', 4],
          ],
          merged: ['A1:B1', 'A2:A4'],
        },
      ],
    })
    expect(await cellsOf(bytes)).toEqual([
      [1, 'Title', ''],
      [2, 'Alder', { number: '1' }],
      [3, 'Alder', { number: '2' }],
      [4, 'Alder', { number: '3' }],
      [5, 'Birch', { number: '4' }],
    ])
  })

  it('offers its visible sheets with rows, and proposes the first', async () => {
    const file = await openFile(
      workbookFile({
        sheets: [
          { name: 'Empty', rows: [] },
          { name: 'Secret', state: 'hidden', rows: [['a'], ['b']] },
          { name: 'More secret', state: 'veryHidden', rows: [['a']] },
          { name: 'R&D "Invoices"', rows: [['c'], [], ['d']] },
          { name: 'Other', rows: [['e']] },
        ],
      }),
    )
    expect(file).toMatchObject({
      sheets: [
        { name: 'R&D "Invoices"', rows: 2 },
        { name: 'Other', rows: 1 },
      ],
      proposed: 0,
    })
    expect(await file.rowsOf(1)).toEqual([{ row: 1, cells: ['e'] }])
  })

  it('is read as another library writes it', async () => {
    const sheet = utils.aoa_to_sheet([
      ['No', 'Due', 'Amount'],
      ['A1', new Date(Date.UTC(2026, 3, 3)), 45],
    ])
    const book = utils.book_new()
    utils.book_append_sheet(book, sheet, 'Invoices')
    const bytes: unknown = write(book, { type: 'buffer', bookType: 'xlsx', bookSST: true })
    if (!(bytes instanceof Uint8Array)) throw new TypeError('xlsx wrote no bytes.')
    expect(await cellsOf(new Uint8Array(bytes))).toEqual([
      [1, 'No', 'Due', 'Amount'],
      [2, 'A1', { day: '2026-04-03' }, { number: '45' }],
    ])
  })

  it('is read if its sizes stand behind its contents', async () => {
    const chunks: Uint8Array[] = []
    const zip = new Zip((error, chunk) => {
      if (error) throw error
      chunks.push(chunk)
    })
    for (const [path, bytes] of Object.entries(
      workbookParts({ sheets: [{ name: 'A', rows: [['a', 1]] }] }),
    )) {
      const file = new ZipDeflate(path)
      zip.add(file)
      if (bytes instanceof Uint8Array) file.push(bytes, true)
    }
    zip.end()
    expect(await cellsOf(Uint8Array.from(chunks.flatMap((chunk) => [...chunk])))).toEqual([
      [1, 'a', { number: '1' }],
    ])
  })

  const unreadable =
    'The workbook cannot be read. Open it in a spreadsheet program and save it again, or save the sheet as CSV.'
  it.each([
    [
      'a cell in row 1,048,576',
      [`<row r="1048576"><c r="A1048576"><v>1</v></c></row>`],
      'The file has more than 20,000 rows. Divide it into several files.',
    ],
    ['a row 4,000,000,000', [`<row r="4000000000"/>`], unreadable],
    [
      'a cell in the last column',
      [`<row r="1"><c r="XFD1"><v>1</v></c></row>`],
      'Row 1 has more than 256 columns.',
    ],
    ['cells without an address', [`<row><c><v>1</v></c></row>`], unreadable],
    ['broken XML', [`<row r="1"><c r="A1"><v>1`], unreadable],
    ['a text that does not exist', [`<row r="1"><c r="A1" t="s"><v>7</v></c></row>`], unreadable],
    [
      'a row of 1 MB',
      Array.from({ length: 40 }, (_, column) =>
        column === 0
          ? `<row r="1">`
          : `<c r="${String.fromCharCode(64 + (column % 26 || 26)).padStart(column > 26 ? 2 : 1, 'A')}1" t="inlineStr"><is><t>${'x'.repeat(30_000)}</t></is></c>`,
      ).concat('</row>'),
      'Row 1 has more than 1 MB, so it is no row of invoices.',
    ],
  ])('with %s is refused', async (_, inner, sentence) => {
    const more = {
      'xl/worksheets/sheet1.xml': strToU8(
        `<worksheet><sheetData>${inner.join('')}</sheetData></worksheet>`,
      ),
    }
    expect(await refusalOf(workbookFile({ sheets: [{ name: 'A', rows: [] }], more }))).toBe(
      sentence,
    )
  })

  it.each([
    [
      'no workbook',
      zipSync({ mimetype: strToU8('application/vnd.oasis.opendocument.spreadsheet') }),
      'The file is no XLSX workbook. Save the sheet as XLSX or CSV.',
    ],
    [
      'half of its bytes',
      workbookFile({ sheets: [{ name: 'A', rows: [['a']] }] }).subarray(0, 700),
      unreadable,
    ],
    [
      'an old format',
      Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 1, 2),
      'The workbook has a password or the old format XLS. Save it without a password as XLSX or CSV.',
    ],
    [
      'no rows',
      workbookFile({ sheets: [{ name: 'A', rows: [] }] }),
      'The workbook has no visible sheet with rows.',
    ],
  ])('with %s is refused', async (_, bytes, sentence) => {
    expect(await refusalOf(bytes)).toBe(sentence)
  })
})
