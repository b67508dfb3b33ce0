import type { FileCell } from '../file/file-row.ts'
import type { Mapping } from './targets.ts'

interface Column {
  /** As in the header. A column without a name has that of its place: `Column F`. */
  readonly name: string
  /** Null for the headings above groups of rows, which are no column of the file. */
  readonly index: number | null
}

/** A row below the header. A cell of each column of the table. */
export interface TableRow {
  readonly row: number
  readonly cells: readonly FileCell[]
}

export interface Table {
  /** The last row of the header. */
  readonly headerRow: number
  readonly columns: readonly Column[]
  readonly proposed: Mapping
  readonly rows: readonly TableRow[]
}
