import { checkTable, type CheckedTable } from '../check/check-rows.ts'
import { refusedCsv } from '../check/refused-csv.ts'
import { cellText } from '../file/file-row.ts'
import { refuseLargeFile } from '../file/limits.ts'
import { openFile, type OpenedFile } from '../file/open-file.ts'
import { findTable } from '../table/find-table.ts'
import { loneText } from '../table/group-headings.ts'
import type { Table } from '../table/table.ts'
import type { Reader, TableView } from './reader-messages.ts'

interface Opened {
  readonly file: OpenedFile
  readonly table: Table
  checked: CheckedTable | null
}

/** Reads one file at a time: opening a file forgets the one before. */
export function createReader(
  sha256: (bytes: Uint8Array<ArrayBuffer>) => Promise<string | null>,
): Reader {
  let opened: Opened | null = null

  async function readSheet(file: OpenedFile, sheet: number): Promise<TableView> {
    const table = findTable(await file.rowsOf(sheet))
    opened = { file, table, checked: null }
    return viewOf(table, sheet)
  }
  const current = (): Opened => {
    if (opened === null) throw new Error('No file is open.')
    return opened
  }

  return {
    async open(blob) {
      opened = null
      refuseLargeFile(blob.size)
      const bytes = new Uint8Array(await blob.arrayBuffer())
      const file = await openFile(bytes)
      const { sheets, proposed } = file
      const table = await readSheet(file, proposed)
      return { sheets, size: blob.size, sha256: await sha256(bytes), table }
    },
    chooseSheet: async (sheet) => readSheet(current().file, sheet),
    check({ choices, currency }) {
      const { file, table } = current()
      const checked = checkTable(table, choices, { epoch: file.epoch, currency })
      current().checked = checked
      return Promise.resolve(checked)
    },
    refusedCsv(byServer) {
      const { table, checked } = current()
      const byFile = checked?.kind === 'checked' ? checked.refused : []
      const reasons = new Map([...byFile, ...byServer].map(({ row, reason }) => [row, reason]))
      const refused = table.rows.flatMap(({ row, cells }) => {
        const reason = reasons.get(row)
        return reason === undefined ? [] : [{ row, reason, cells: cells.map(cellText) }]
      })
      return Promise.resolve(refusedCsv(table, refused))
    },
  }
}

const shownValues = 3

function viewOf({ columns, proposed, rows }: Table, sheet: number): TableView {
  const withoutHeadings = rows.filter((row) => loneText(row) === null)
  return {
    sheet,
    proposed,
    rows: rows.length,
    columns: columns.map((column, index) => ({
      ...column,
      values: withoutHeadings
        .map(({ cells }) => cellText(cells[index]))
        .filter((text) => text !== '')
        .slice(0, shownValues),
    })),
  }
}
