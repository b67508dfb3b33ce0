import { parentPort, workerData } from 'node:worker_threads'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { utils, write, type CellObject, type WorkSheet } from 'xlsx'
import { unreachable } from '#services/foundation/decider'
import type { Cell } from './cell.ts'
import type { FromWorkbook, ToWorkbook, WorkbookStart } from './workbook-messages.ts'

/*
 * Started in a thread by workbook.ts: makes an XLSX file with one sheet, out of rows that arrive in
 * batches. The package xlsx only writes here. It never reads a file.
 */

const sheetPath = 'xl/worksheets/sheet1.xml'
const timeFormat = 'yyyy-mm-dd hh:mm:ss'
/** The number of 1970-01-01 in Excel, which counts days from 1899-12-30. */
const epochDay = 25_569
const dayMs = 86_400_000

function inSheet(cell: Cell): CellObject | null {
  if (cell === null) return null
  switch (cell.kind) {
    case 'text':
      return { t: 's', v: cell.text }
    case 'number':
      return {
        t: 'n',
        v: cell.value,
        z: cell.decimals === 0 ? '0' : `0.${'0'.repeat(cell.decimals)}`,
      }
    case 'time':
      return { t: 'n', v: Date.parse(cell.at) / dayMs + epochDay, z: timeFormat }
    default:
      return unreachable(cell)
  }
}

/** SheetJS writes no frozen rows: the pane is added to the XML of the sheet. */
function withFrozenHeader(file: Uint8Array): Uint8Array {
  const parts = unzipSync(file)
  const sheet = strFromU8(parts[sheetPath] ?? new Uint8Array())
  const frozen = sheet.replace(
    /<sheetView ([^>]*?)\/>/,
    '<sheetView $1><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView>',
  )
  if (frozen === sheet) throw new Error('The sheet of the XLSX file has no view to freeze.')
  return zipSync({ ...parts, [sheetPath]: strToU8(frozen) })
}

function makeFile({ sheet, columns }: WorkbookStart, cells: WorkSheet): Uint8Array {
  const workbook = utils.book_new()
  cells['!cols'] = columns.map(({ width }) => ({ wch: width }))
  utils.book_append_sheet(workbook, cells, sheet)
  const file = write(workbook, { type: 'buffer', bookType: 'xlsx', bookSST: true }) as Uint8Array
  return withFrozenHeader(file)
}

if (parentPort !== null) {
  const port = parentPort
  const start = workerData as WorkbookStart
  const send = (message: FromWorkbook) => port.postMessage(message)
  const cells = utils.aoa_to_sheet([
    start.columns.map(({ header }): CellObject => ({ t: 's', v: header })),
  ])
  let rows = 0
  port.on('message', (message: ToWorkbook) => {
    if (message === 'end') {
      // The thread stays: at once after the message, its exit could arrive before the file.
      send({ kind: 'file', file: makeFile(start, cells) })
      return
    }
    utils.sheet_add_aoa(
      cells,
      message.rows.map((row) => row.map(inSheet)),
      {
        origin: { r: rows + 1, c: 0 },
      },
    )
    rows += message.rows.length
    send({ kind: 'taken', rows })
  })
}
