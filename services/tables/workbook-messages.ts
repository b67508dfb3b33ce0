import type { Cell } from './cell.ts'

/** A sheet: its name and its columns. `width` is in characters. */
export interface Sheet {
  readonly name: string
  readonly columns: readonly { readonly header: string; readonly width: number }[]
}

/**
 * A message to the thread. `sheet` begins the next sheet, and `rows` belong to the sheet that began
 * last. After `end` the thread answers with the file.
 */
export type ToWorkbook =
  | { readonly kind: 'sheet'; readonly sheet: Sheet }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly Cell[])[] }
  | { readonly kind: 'end' }

/** A message of the thread: it has taken a sheet or rows, or the file. */
export type FromWorkbook =
  | { readonly kind: 'taken' }
  | { readonly kind: 'file'; readonly file: Uint8Array }
