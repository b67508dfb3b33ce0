import { parentPort } from 'node:worker_threads'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { utils, write, type CellObject, type WorkBook, type WorkSheet } from 'xlsx'
import { guardedText } from '#contracts/formula-guard'
import { unreachable } from '#services/foundation/decider'
import type { Cell } from './cell.ts'
import type { FromWorkbook, Sheet, ToWorkbook } from './workbook-messages.ts'
import { xlsxText } from './xlsx-text.ts'

/*
 * Started in a thread by workbook.ts: makes an XLSX file out of sheets and of rows that arrive in
 * batches. The package xlsx only writes here. It never reads a file.
 */

const sheetPath = /^xl\/worksheets\/sheet\d+\.xml$/
const timeFormat = 'yyyy-mm-dd hh:mm:ss'
const dayFormat = 'yyyy-mm-dd'
/** The number of 1970-01-01 in Excel, which counts days from 1899-12-30. */
const epochDay = 25_569
const dayMs = 86_400_000

function inSheet(cell: Cell): CellObject | null {
  if (cell === null) return null
  switch (cell.kind) {
    case 'text':
      return { t: 's', v: xlsxText(guardedText(cell.text)) }
    case 'number':
      return {
        t: 'n',
        v: cell.value,
        z: cell.decimals === 0 ? '0' : `0.${'0'.repeat(cell.decimals)}`,
      }
    case 'time':
      return { t: 'n', v: Date.parse(cell.at) / dayMs + epochDay, z: timeFormat }
    case 'day':
      return { t: 'n', v: Date.parse(cell.day) / dayMs + epochDay, z: dayFormat }
    default:
      return unreachable(cell)
  }
}

/** SheetJS writes no frozen rows: the pane is added to the XML of each sheet. */
function withFrozenHeaders(file: Uint8Array): Uint8Array {
  const parts = unzipSync(file)
  for (const [path, content] of Object.entries(parts))
    if (sheetPath.test(path)) parts[path] = strToU8(withFrozenHeader(strFromU8(content)))
  return zipSync(parts)
}

function withFrozenHeader(sheet: string): string {
  const frozen = sheet.replace(
    /<sheetView ([^>]*?)\/>/,
    '<sheetView $1><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView>',
  )
  if (frozen === sheet) throw new Error('A sheet of the XLSX file has no view to freeze.')
  return frozen
}

/** The sheet that began last. */
interface OpenSheet {
  readonly cells: WorkSheet
  rows: number
}

function beginSheet(workbook: WorkBook, { name, columns }: Sheet): OpenSheet {
  const cells = utils.aoa_to_sheet([
    columns.map(({ header }): CellObject => ({ t: 's', v: xlsxText(header) })),
  ])
  cells['!cols'] = columns.map(({ width }) => ({ wch: width }))
  utils.book_append_sheet(workbook, cells, name)
  return { cells, rows: 0 }
}

function addRows(sheet: OpenSheet, rows: readonly (readonly Cell[])[]): void {
  utils.sheet_add_aoa(
    sheet.cells,
    rows.map((row) => row.map(inSheet)),
    { origin: { r: sheet.rows + 1, c: 0 } },
  )
  sheet.rows += rows.length
}

if (parentPort !== null) {
  const port = parentPort
  const send = (message: FromWorkbook) => port.postMessage(message)
  const workbook = utils.book_new()
  let sheet: OpenSheet | null = null
  port.on('message', (message: ToWorkbook) => {
    switch (message.kind) {
      case 'sheet':
        sheet = beginSheet(workbook, message.sheet)
        send({ kind: 'taken' })
        return
      case 'rows':
        if (sheet === null) throw new Error('Rows of an XLSX file need a sheet.')
        addRows(sheet, message.rows)
        send({ kind: 'taken' })
        return
      case 'end': {
        const file = write(workbook, {
          type: 'buffer',
          bookType: 'xlsx',
          bookSST: true,
        }) as Uint8Array
        // The thread stays: at once after the message, its exit could arrive before the file.
        send({ kind: 'file', file: withFrozenHeaders(file) })
        return
      }
      default:
        unreachable(message)
    }
  })
}
