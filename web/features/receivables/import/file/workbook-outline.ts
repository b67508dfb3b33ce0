import { Parser } from 'saxen'
import { FileRefusal } from './file-refusal.ts'
import { refuseManyRows, refuseWideRow } from './limits.ts'
import { unreadableWorkbook } from './unpack-parts.ts'

/*
 * What read-excel-file does not return: which sheets are hidden, the file of each sheet, merged
 * cells, and how large a sheet is before its rows take memory.
 */

interface SheetEntry {
  readonly name: string
  readonly relation: string
  readonly hidden: boolean
}

export interface Area {
  readonly firstRow: number
  readonly lastRow: number
  readonly firstColumn: number
  readonly lastColumn: number
}

/** Names without the prefix of their namespace. */
type OnElement = (name: string, attributes: () => ReadonlyMap<string, string>) => void

/** The sheets in their order. Charts and dialogs are sheets, too: they have no rows. */
export function sheetEntries(workbookXml: string): readonly SheetEntry[] {
  const sheets: SheetEntry[] = []
  eachElement(workbookXml, (element, attributes) => {
    if (element !== 'sheet') return
    const given = attributes()
    const [name = '', relation = ''] = [given.get('name'), given.get('id')]
    const hidden = (given.get('state') ?? 'visible') !== 'visible'
    if (name !== '') sheets.push({ name, relation, hidden })
  })
  return sheets
}

/** The paths of the sheets by relation, and of the texts and styles that they share. */
export function workbookPaths(relationsXml: string): {
  readonly sheets: ReadonlyMap<string, string>
  readonly shared: readonly string[]
} {
  const sheets = new Map<string, string>()
  const shared: string[] = []
  eachElement(relationsXml, (element, attributes) => {
    if (element !== 'Relationship') return
    const given = attributes()
    const type = given.get('Type')?.split('/').at(-1)
    const target = given.get('Target') ?? ''
    const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`
    if (type === 'worksheet') sheets.set(given.get('Id') ?? '', path)
    if (type === 'styles' || type === 'sharedStrings') shared.push(path)
  })
  return { sheets, shared }
}

export interface SheetOutline {
  /** Rows with a value. */
  readonly rows: number
  readonly merged: readonly Area[]
}

/**
 * @throws FileRefusal for a sheet that is too large. A sheet of one cell in row 1,000,000 is, too:
 * read-excel-file returns an array for each row above it.
 */
export function sheetOutline(sheetXml: string): SheetOutline {
  const merged: Area[] = []
  let [rows, lastRow] = [0, 0]
  let cell: { readonly row: number; readonly column: number } | null = null
  eachElement(sheetXml, (element, attributes) => {
    switch (element) {
      case 'row':
        refuseImpossibleRow(Number(attributes().get('r') ?? 1))
        break
      case 'c':
        cell = cellAddress(attributes().get('r') ?? '')
        break
      // A cell has a value or a text of its own. A cell without both only has a format.
      case 'v':
      case 'is':
        if (cell === null) break
        refuseWideRow(cell.row, cell.column)
        refuseManyRows(cell.row)
        if (cell.row > lastRow) [rows, lastRow] = [rows + 1, cell.row]
        break
      case 'mergeCell':
        merged.push(areaOf(attributes().get('ref') ?? ''))
        break
      default:
    }
  })
  return { rows, merged }
}

/** Excel has 1,048,576 rows. */
function refuseImpossibleRow(row: number): void {
  if (!(row <= 1_048_576)) throw new FileRefusal(unreadableWorkbook)
}

/** `AB12` is row 12, column 28. */
function cellAddress(address: string): { readonly row: number; readonly column: number } {
  const [, letters = '', digits = ''] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(address) ?? []
  if (digits === '') throw new FileRefusal(unreadableWorkbook)
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  return { row: Number(digits), column }
}

function areaOf(reference: string): Area {
  const [from = '', to = from] = reference.split(':')
  const [first, last] = [cellAddress(from), cellAddress(to)]
  return {
    firstRow: first.row,
    lastRow: last.row,
    firstColumn: first.column,
    lastColumn: last.column,
  }
}

function eachElement(xml: string, onElement: OnElement): void {
  const parser = new Parser()
  parser.on('openTag', (name, attributes, decode) => {
    onElement(
      withoutPrefix(name),
      () =>
        new Map(
          Object.entries(attributes()).map(([key, value]) => [withoutPrefix(key), decode(value)]),
        ),
    )
  })
  try {
    parser.parse(xml)
  } catch (error) {
    if (error instanceof FileRefusal) throw error
    // saxen throws at the first error of the XML.
    throw new FileRefusal(unreadableWorkbook, { cause: error })
  }
}

const withoutPrefix = (name: string) => name.slice(name.indexOf(':') + 1)
