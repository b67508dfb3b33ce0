import { cellText, isEmptyCell } from '../file/file-row.ts'
import { isTotal, loneText } from '../table/group-headings.ts'
import type { Table, TableRow } from '../table/table.ts'
import { amountTargets, type Mapping, type Target } from '../table/targets.ts'

/** A row below the header that is no invoice: `heading`, `total`. */
export interface LeftOutRow {
  readonly row: number
  readonly why: 'heading' | 'total'
}

export interface SortedRows {
  readonly invoices: readonly TableRow[]
  readonly leftOut: readonly LeftOutRow[]
}

/** Separates the invoices from headings of groups and totals. */
export function sortRows({ columns, rows }: Table, mapping: Mapping): SortedRows {
  const invoices: TableRow[] = []
  const leftOut: LeftOutRow[] = []
  const ofFile = columns.flatMap(({ index }, column) => (index === null ? [] : column))
  for (const row of rows) {
    const why = noInvoice(row, { mapping, ofFile })
    if (why === null) invoices.push(row)
    else leftOut.push({ row: row.row, why })
  }
  return { invoices, leftOut }
}

interface Columns {
  readonly mapping: Mapping
  /** The columns of the file: without the headings above groups. */
  readonly ofFile: readonly number[]
}

function noInvoice(row: TableRow, { mapping, ofFile }: Columns): LeftOutRow['why'] | null {
  const text = (target: Target) => cellText(row.cells[mapping.indexOf(target)])
  const filled = ofFile.filter((column) => !isEmptyCell(row.cells[column]))
  const [first] = filled
  const hasDate = text('dueDate') !== '' || text('issueDate') !== ''
  const isNumbered = text('number') !== '' && !isTotal(text('number'))
  if (first !== undefined && !hasDate && !isNumbered && isTotal(cellText(row.cells[first])))
    return 'total'
  const inFile = { ...row, cells: ofFile.map((column) => row.cells[column] ?? '') }
  if (loneText(inFile) !== null) return isTotal(loneText(inFile) ?? '') ? 'total' : 'heading'
  // A total without a word has amounts alone.
  const isAmount = (column: number) => amountTargets.some((target) => target === mapping[column])
  return filled.every((column) => isAmount(column) || mapping[column] === null) && !hasText(filled)
    ? 'total'
    : null

  function hasText(columns: readonly number[]): boolean {
    return columns.some((column) => !/\d/.test(cellText(row.cells[column])))
  }
}
