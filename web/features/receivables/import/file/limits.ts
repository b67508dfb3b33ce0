import { formatCount } from '../../../../lib/money.ts'
import { FileRefusal } from './file-refusal.ts'

/** Invoices of one import. */
const maxInvoices = 20_000

/** Rows with a value: the invoices, and the rows around them, such as titles and totals. */
const maxRows = 21_000
const maxColumns = 256
const maxFileBytes = 10_000_000
/** UTF-16 code units of a row. */
export const maxRowLength = 1_000_000
/** What the sheets of a workbook may have in bytes when they are unpacked. */
export const maxUnpackedBytes = 64_000_000

export const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

/** Also before the file is read, by its size. */
export function refuseLargeFile(bytes: number): void {
  if (bytes === 0) throw new FileRefusal('The file is empty.')
  if (bytes > maxFileBytes)
    throw new FileRefusal(
      `The file has ${megabytes(bytes)}, and an import takes 10 MB at most. Divide it into several files.`,
    )
}

/** Called with the number of rows that were read so far. */
export function refuseManyRows(rows: number): void {
  if (rows > maxRows) throw new FileRefusal(tooManyInvoices)
}

/** Called with the rows that are left without titles and totals. */
export function refuseManyInvoices(invoices: number): void {
  if (invoices > maxInvoices) throw new FileRefusal(tooManyInvoices)
}

const tooManyInvoices = `The file has more than ${formatCount(maxInvoices)} rows. Divide it into several files.`

export function refuseWideRow(row: number, columns: number): void {
  if (columns > maxColumns)
    throw new FileRefusal(`Row ${formatCount(row)} has more than ${maxColumns} columns.`)
}

export function refuseLongRow(row: number, length: number): void {
  if (length > maxRowLength)
    throw new FileRefusal(
      `Row ${formatCount(row)} has more than 1 MB, so it is no row of invoices.`,
    )
}
