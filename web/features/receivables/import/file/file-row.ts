/**
 * A cell of a file: a text as written, or a number or a day that a workbook stores as such. An
 * empty cell is an empty text.
 */
export type FileCell = string | { readonly number: string } | { readonly day: string }

/** A row with a value. Empty rows do not exist, and `row` counts them. */
export interface FileRow {
  /** As a spreadsheet numbers it: from 1. */
  readonly row: number
  readonly cells: readonly FileCell[]
}

/** The text of a cell, without spaces around it. */
export function cellText(cell: FileCell | undefined): string {
  if (cell === undefined) return ''
  if (typeof cell === 'string') return cell.trim()
  return 'number' in cell ? cell.number : cell.day
}

export const isEmptyCell = (cell: FileCell | undefined) => cellText(cell) === ''
