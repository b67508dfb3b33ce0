import type { Cell } from './cell.ts'

/** The first message to the thread: the sheet and its columns. `width` is in characters. */
export interface WorkbookStart {
  readonly sheet: string
  readonly columns: readonly { readonly header: string; readonly width: number }[]
}

/** A message to the thread. After `end` the thread answers with the file. */
export type ToWorkbook = { readonly rows: readonly (readonly Cell[])[] } | 'end'

/** A message of the thread: the number of rows that it has taken, or the file. */
export type FromWorkbook =
  | { readonly kind: 'taken'; readonly rows: number }
  | { readonly kind: 'file'; readonly file: Uint8Array }
