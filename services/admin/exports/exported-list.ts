import type { AdminListName } from '#contracts/admin/lists'
import type { Cell, Column } from '#services/tables/cell'
import { exportedColumns, type ItemOf } from './exported-columns.ts'

/** One export of a list: what a file of any format is made of. */
export interface ExportedList {
  /** The name of the list in files: `Active Plans Monthly`. */
  readonly label: string
  readonly columns: readonly Pick<Column<never>, 'header' | 'width'>[]
  /** The number of rows. Null if the rows of a search are more than are counted. */
  readonly total: number | null
  /** The rows in batches, each row a cell per column. */
  batches(): AsyncGenerator<readonly (readonly Cell[])[], void, undefined>
  /** Records the export in the log, right before its first byte. */
  record(rows: number | null): Promise<void>
}

/** The items of a list as the cells of its columns. */
export async function* cellsOf<Name extends AdminListName>(
  name: Name,
  batches: AsyncIterable<readonly ItemOf<Name>[]>,
): AsyncGenerator<readonly (readonly Cell[])[], void, undefined> {
  const columns = exportedColumns[name]
  for await (const items of batches)
    yield items.map((item) => columns.map(({ cell }) => cell(item)))
}
