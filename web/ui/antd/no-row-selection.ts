/** Replaces the selection of rows in antd's table, which the console's lists do not have. */
export default function useNoRowSelection(
  _config: unknown,
  rowSelection?: object,
): readonly [<Columns>(columns: Columns) => Columns, ReadonlySet<never>] {
  if (rowSelection !== undefined) throw new Error(missing)
  return nothingSelected
}

/** Marks of columns and menus that only a table with a selection compares. */
export const SELECTION_COLUMN = {}
export const SELECTION_ALL = 'SELECT_ALL'
export const SELECTION_INVERT = 'SELECT_INVERT'
export const SELECTION_NONE = 'SELECT_NONE'

const nothingSelected = [<Columns>(columns: Columns) => columns, new Set<never>()] as const

const missing =
  'The build has no selection of rows in a table. Remove no-row-selection.ts from smaller-antd-plugin.ts to have it.'
