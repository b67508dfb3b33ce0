import { decodeText } from './decode-text.ts'
import { FileRefusal } from './file-refusal.ts'
import type { FileRow } from './file-row.ts'
import { refuseLargeFile } from './limits.ts'
import { readCsv } from './read-csv.ts'
import type { Sheet } from './read-workbook.ts'

export interface OpenedFile {
  /** The visible sheets with rows. A CSV file has one, without a name. */
  readonly sheets: readonly {
    readonly name: string
    /** Rows with a value, or why the sheet cannot be imported. */
    readonly rows: number | { readonly refusal: string }
  }[]
  /** The year from which the workbook counts the days. A number in a column of dates needs it. */
  readonly epoch: 1900 | 1904
  /** The index of the first sheet that can be imported. */
  readonly proposed: number
  /** @throws FileRefusal */
  readonly rowsOf: (sheet: number) => Promise<readonly FileRow[]>
}

/**
 * Opens a CSV or XLSX file. Its bytes decide what it is: names often end wrongly.
 *
 * @throws FileRefusal with a sentence for the merchant.
 */
export async function openFile(bytes: Uint8Array): Promise<OpenedFile> {
  refuseLargeFile(bytes.length)
  const known = knownBegins.find(({ begin }) => begin.every((byte, at) => bytes[at] === byte))
  switch (known?.kind) {
    case 'zip':
      return openWorkbook(bytes)
    case 'ole':
      throw new FileRefusal(
        'The workbook has a password or the old format XLS. Save it without a password as XLSX or CSV.',
      )
    case 'pdf':
      throw new FileRefusal('The file is a PDF document. Export the invoices as CSV or XLSX.')
    case undefined:
      return openCsv(bytes)
    default:
      return known satisfies never
  }
}

const knownBegins = [
  { kind: 'zip', begin: [0x50, 0x4b, 0x03, 0x04] },
  { kind: 'ole', begin: [0xd0, 0xcf, 0x11, 0xe0] },
  { kind: 'pdf', begin: [0x25, 0x50, 0x44, 0x46] },
] as const

function openCsv(bytes: Uint8Array): OpenedFile {
  const text = decodeText(bytes)
  // A picture or a program has many of them.
  if (text.includes('\0')) throw new FileRefusal('The file is neither CSV nor XLSX.')
  const rows = readCsv(text)
  if (rows.length === 0) throw new FileRefusal('The file has no rows.')
  return {
    sheets: [{ name: '', rows: rows.length }],
    epoch: 1900,
    proposed: 0,
    rowsOf: () => Promise.resolve(rows),
  }
}

async function openWorkbook(bytes: Uint8Array): Promise<OpenedFile> {
  // Most files are CSV, and the reader of workbooks is large.
  const { readWorkbook } = await import('./read-workbook.ts')
  const { sheets, epoch } = readWorkbook(bytes)
  const withRows = sheets
    .map((sheet) => ({ sheet, rows: rowsIn(sheet) }))
    .filter(({ rows }) => rows !== 0)
  const [first] = withRows
  if (first === undefined) throw new FileRefusal('The workbook has no visible sheet with rows.')
  const proposed = withRows.findIndex(({ rows }) => typeof rows === 'number')
  if (proposed === -1 && typeof first.rows === 'object') throw new FileRefusal(first.rows.refusal)
  return {
    sheets: withRows.map(({ sheet: { name }, rows }) => ({ name, rows })),
    epoch,
    proposed,
    rowsOf: (index) =>
      withRows[index]?.sheet.rows() ?? Promise.reject(new RangeError(`No sheet ${index}.`)),
  }
}

/** A sheet that is too large does not keep the merchant from another one. */
function rowsIn(sheet: Sheet): number | { readonly refusal: string } {
  try {
    return sheet.outline().rows
  } catch (error) {
    if (error instanceof FileRefusal) return { refusal: error.message }
    throw error
  }
}
