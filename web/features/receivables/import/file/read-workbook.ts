import { strFromU8, strToU8, zipSync } from 'fflate'
import { readSheet } from 'read-excel-file/universal'
import { FileRefusal } from './file-refusal.ts'
import { cellText, isEmptyCell, type FileCell, type FileRow } from './file-row.ts'
import { refuseLongRow } from './limits.ts'
import { unpackParts, unreadableWorkbook, type Parts } from './unpack-parts.ts'
import {
  sheetEntries,
  sheetOutline,
  workbookPaths,
  type Area,
  type SheetOutline,
} from './workbook-outline.ts'

const workbookPath = 'xl/workbook.xml'
const relationsPath = 'xl/_rels/workbook.xml.rels'

export interface Sheet {
  readonly name: string
  /** @throws FileRefusal */
  readonly outline: () => SheetOutline
  /** @throws FileRefusal */
  readonly rows: () => Promise<readonly FileRow[]>
}

/**
 * The visible sheets of an XLSX file. Formulas are not evaluated: a cell has the value that the
 * spreadsheet program stored. Links to other files are not followed.
 */
export function readWorkbook(bytes: Uint8Array): {
  readonly sheets: readonly Sheet[]
  readonly epoch: 1900 | 1904
} {
  const outer = unpackParts(bytes, (path) => path === workbookPath || path === relationsPath)
  const [workbook, relations] = [outer.get(workbookPath), outer.get(relationsPath)]
  if (workbook === undefined || relations === undefined)
    throw new FileRefusal('The file is no XLSX workbook. Save the sheet as XLSX or CSV.')

  const paths = workbookPaths(strFromU8(relations))
  const sheetFiles = new Set([...paths.sheets.values(), ...paths.shared])
  const inner = unpackParts(bytes, (path) => sheetFiles.has(path))
  const workbookXml = withDateFlag(strFromU8(workbook))
  const common: Parts = new Map([
    [workbookPath, strToU8(workbookXml)],
    [relationsPath, relations],
    ...[...inner].filter(([path]) => paths.shared.includes(path)),
  ])
  const sheets = sheetEntries(workbookXml).flatMap(({ name, relation, hidden }) => {
    const path = paths.sheets.get(relation) ?? ''
    const part = inner.get(path)
    if (hidden || part === undefined) return []
    const outline = () => sheetOutline(strFromU8(part))
    return {
      name,
      outline,
      rows: () => rowsOf(new Map([...common, [path, part]]), name, outline().merged),
    }
  })
  return { sheets, epoch: workbookXml.includes('date1904="1"') ? 1904 : 1900 }
}

/** read-excel-file knows the flag of the 1904 dates as `1` only. LibreOffice writes `true`. */
const withDateFlag = (xml: string) => xml.replace(/\bdate1904=(["'])true\1/, 'date1904="1"')

/**
 * The ZIP file that read-excel-file gets is not packed: so it unpacks nothing, and starts no
 * worker, which the security policy of the pages forbids.
 */
async function rowsOf(
  parts: Parts,
  name: string,
  merged: readonly Area[],
): Promise<readonly FileRow[]> {
  const zip = zipSync(Object.fromEntries(parts), { level: 0 })
  const values = await readSheet(zip.buffer, name, {
    trim: false,
    parseNumber: (number) => ({ number: asShown(number) }),
  }).catch((error: unknown) => {
    throw new FileRefusal(unreadableWorkbook, { cause: error })
  })
  const rows = values.map((row) => row.map(fileCell))
  fillMerged(rows, merged)
  return rows.flatMap((cells, index) => {
    refuseLongRow(
      index + 1,
      cells.reduce((sum, cell) => sum + cellText(cell).length, 0),
    )
    return cells.every(isEmptyCell) ? [] : [{ row: index + 1, cells }]
  })
}

function fileCell(value: unknown): FileCell {
  if (value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (value instanceof Date) return dayCell(value)
  return typeof value === 'object' && 'number' in value ? { number: String(value.number) } : ''
}

/** A date that no calendar has is no cell with a value. */
const dayCell = (date: Date): FileCell =>
  Number.isNaN(date.getTime()) ? '' : { day: date.toISOString().slice(0, 10) }

/** With 15 digits, as spreadsheets show numbers: a formula stores 0.1 + 0.2 with 17. */
const asShown = (stored: string) => String(Number(Number(stored).toPrecision(15)))

/**
 * Only the first cell of merged cells has the value, but a reader sees it in each row. Merged cells
 * of one row are titles: they stay as they are.
 */
function fillMerged(rows: FileCell[][], areas: readonly Area[]): void {
  for (const { firstRow, lastRow, firstColumn } of areas) {
    const value = rows[firstRow - 1]?.[firstColumn - 1]
    if (value === undefined || isEmptyCell(value)) continue
    for (const row of rows.slice(firstRow, lastRow)) row[firstColumn - 1] = value
  }
}
