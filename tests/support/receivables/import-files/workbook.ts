import { strToU8, zipSync, type Zippable } from 'fflate'

/*
 * Workbooks cell by cell, so that a test can have what no library writes: formulas without a value,
 * a cell in the last row, wrong flags.
 */

type WrittenCell =
  | string
  | number
  | boolean
  | null
  /** A number with the format of a date. */
  | { readonly serial: number }
  /** The inner XML of the cell's element, and its type. */
  | { readonly xml: string; readonly type?: string }

interface WrittenSheet {
  readonly name: string
  readonly state?: 'hidden' | 'veryHidden'
  readonly rows: readonly (readonly WrittenCell[])[]
  /** Such as `A2:A4`. */
  readonly merged?: readonly string[]
}

interface WrittenWorkbook {
  readonly sheets: readonly WrittenSheet[]
  /** As in the attribute: Excel writes `1`, LibreOffice `true`. */
  readonly date1904?: string
  readonly more?: Zippable
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** The bytes of an XLSX file. */
export function workbookFile(workbook: WrittenWorkbook): Uint8Array<ArrayBuffer> {
  return zipSync(workbookParts(workbook))
}

export function workbookParts({ sheets, date1904 = '0', more }: WrittenWorkbook): Zippable {
  const list = sheets.map(
    ({ name, state = 'visible' }, index) =>
      `<sheet name="${escaped(name)}" sheetId="${index + 1}" state="${state}" r:id="rId${index + 1}"/>`,
  )
  const targets = sheets.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  )
  return {
    'xl/workbook.xml': xml(
      `<workbook xmlns="${main}" xmlns:r="${relations}"><workbookPr date1904="${date1904}"/><sheets>${list.join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets.join('')}<Relationship Id="rId99" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    ),
    'xl/styles.xml': xml(
      `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    ),
    ...Object.fromEntries(
      sheets.map((sheet, index) => [`xl/worksheets/sheet${index + 1}.xml`, xml(sheetXml(sheet))]),
    ),
    ...more,
  }
}

function sheetXml({ rows, merged = [] }: WrittenSheet): string {
  const written = rows.map((cells, index) => {
    const row = index + 1
    const inRow = cells.map((cell, column) => cellXml(`${columnName(column)}${row}`, cell))
    return `<row r="${row}">${inRow.join('')}</row>`
  })
  const merges = merged.map((ref) => `<mergeCell ref="${ref}"/>`)
  return `<worksheet xmlns="${main}"><sheetData>${written.join('')}</sheetData><mergeCells>${merges.join('')}</mergeCells></worksheet>`
}

function cellXml(at: string, cell: WrittenCell): string {
  if (cell === null) return ''
  switch (typeof cell) {
    case 'string':
      return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
    case 'number':
      return `<c r="${at}"><v>${cell}</v></c>`
    case 'boolean':
      return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`
    default:
      return 'serial' in cell
        ? `<c r="${at}" s="1"><v>${cell.serial}</v></c>`
        : `<c r="${at}" t="${cell.type ?? 'n'}">${cell.xml}</c>`
  }
}

/** 0 is A, 27 is AB. */
const columnName = (column: number): string =>
  (column < 26 ? '' : columnName(Math.floor(column / 26) - 1)) +
  String.fromCharCode(65 + (column % 26))

const xml = (text: string) => strToU8(`<?xml version="1.0" encoding="UTF-8"?>${text}`)
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
