import { cellText, isEmptyCell, type FileRow } from '../file/file-row.ts'
import { groupHeadings } from './group-headings.ts'
import { proposeColumns } from './propose-columns.ts'
import type { Table } from './table.ts'

/** Rows that can be the header. Reports have a few titles above it. */
const searchedRows = 100

interface Header {
  readonly lines: readonly FileRow[]
  /** The names that each column can have: a header of two lines gives several. */
  readonly names: readonly (readonly string[])[]
  readonly score: number
}

/**
 * Finds the header and the rows below it. The header is the row, or the two rows, of which most
 * names are known: so titles above it can be of any number.
 */
export function findTable(rows: readonly FileRow[]): Table {
  const header = findHeader(rows.slice(0, searchedRows))
  const headerRow = header.lines.at(-1)?.row ?? 0
  const below = rows.filter(({ row }) => row > headerRow)
  const lines = new Set(header.lines.map(comparable))
  const body = below.filter((row) => !lines.has(comparable(row)))

  const width = Math.max(0, ...[...header.lines, ...body].map(({ cells }) => cells.length))
  const places = Array.from({ length: width }, (_, index) => index).filter(
    (index) => isNamed(header, index) || body.some(({ cells }) => !isEmptyCell(cells[index])),
  )
  const columns = places.map((index) => ({ name: nameOf(header, index), index }))
  const proposed = proposeColumns(places.map((index) => header.names[index] ?? []))
  const table = {
    headerRow,
    columns,
    proposed,
    rows: body.map(({ row, cells }) => ({ row, cells: places.map((index) => cells[index] ?? '') })),
  }
  return proposed.includes('client') ? table : withGroupHeadings(table)
}

/** Some reports have the client above its invoices, in a row of its own. */
function withGroupHeadings(table: Table): Table {
  const headings = groupHeadings(table.rows)
  if (headings === null) return table
  return {
    ...table,
    columns: [...table.columns, { name: 'Heading above the rows', index: null }],
    proposed: [...table.proposed, 'client'],
    rows: table.rows.map(({ row, cells }) => ({ row, cells: [...cells, headings.get(row) ?? ''] })),
  }
}

function findHeader(rows: readonly FileRow[]): Header {
  const single = rows.map((row) => headerOf([row]))
  const double = rows.flatMap((upper, index) => {
    const lower = rows[index + 1]
    return lower?.row === upper.row + 1 && canBeName(lower) ? headerOf([upper, lower]) : []
  })
  // The first of the best: a long report repeats its header. One line before two.
  const best = [...single, ...double].reduce<Header | null>(
    (found, header) => (found === null || header.score > found.score ? header : found),
    null,
  )
  if (best !== null && best.score >= 2) return best
  const widest = Math.max(0, ...rows.map(filled))
  const first = rows.find((row) => filled(row) === widest && canBeName(row))
  // A file without a header begins with an invoice.
  return headerOf(first === undefined ? [] : [first])
}

const filled = ({ cells }: FileRow) => cells.filter((cell) => !isEmptyCell(cell)).length

/** Names are texts, and hardly have digits. */
const canBeName = ({ cells }: FileRow) =>
  cells.every((cell) => typeof cell === 'string' && !/\d/.test(cell))

function headerOf(lines: readonly FileRow[]): Header {
  const [upper, lower] = lines
  const above = upper?.cells.map(cellText) ?? []
  const below = lower?.cells.map(cellText) ?? []
  const width = Math.max(above.length, below.length)
  let left = ''
  const names = Array.from({ length: width }, (_, index) => {
    const [top = '', bottom = ''] = [above[index], below[index]]
    // A name over several columns stands in the first of them.
    if (top !== '') left = top
    if (lower === undefined) return top === '' ? [] : [top]
    return [`${top || left} ${bottom}`, bottom, top].filter(
      (name, at) => name.trim() !== '' && (at > 0 || bottom !== ''),
    )
  })
  const known = proposeColumns(names).filter((target) => target !== null)
  const required = known.filter((target) => requiredTargets.some((each) => each === target))
  return { lines, names, score: known.length + required.length }
}

const requiredTargets = ['number', 'client', 'dueDate', 'terms', 'amount'] as const

/** Cells of a row as they are compared with the header. */
const comparable = ({ cells }: FileRow) => cells.map(cellText).join('\n')

const isNamed = (header: Header, index: number) => (header.names[index] ?? []).length > 0

function nameOf({ lines, names }: Header, index: number): string {
  const ofColumn = names[index] ?? []
  const [target] = proposeColumns([ofColumn])
  const known = ofColumn.find((name) => proposeColumns([[name]])[0] === target)
  const written = lines.map(({ cells }) => cellText(cells[index])).filter((text) => text !== '')
  const name = target === null || target === undefined ? written.join(' ') : (known ?? '')
  return name.replace(/\s+/g, ' ').trim() || `Column ${columnLetters(index)}`
}

/** 0 is A, 27 is AB. */
const columnLetters = (index: number): string =>
  (index < 26 ? '' : columnLetters(Math.floor(index / 26) - 1)) +
  String.fromCharCode(65 + (index % 26))
