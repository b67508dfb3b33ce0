import { stringify } from 'csv-stringify/sync'
import { guardedParts, needsQuotes } from '#contracts/formula-guard'
import { unreachable } from '#services/foundation/decider'
import type { Cell } from './cell.ts'

/**
 * The begin of a CSV file for Excel, which otherwise reads the file in the encoding of the machine.
 * Programs that read a file by the names in its header take the mark for a part of the first name.
 */
export const byteOrderMark = '\ufeff'

/** The first line of a CSV file. */
export function csvHeader(headers: readonly string[]): string {
  return lines([headers])
}

/** The lines of rows, as RFC 4180 has them. */
export function csvRows(rows: readonly (readonly Cell[])[]): string {
  return lines(rows.map((cells) => cells.map(inCsv)))
}

function lines(rows: readonly (readonly string[])[]): string {
  return stringify(
    rows.map((row) => [...row]),
    { record_delimiter: 'windows', quoted_match: needsQuotes },
  )
}

function inCsv(cell: Cell): string {
  if (cell === null) return ''
  switch (cell.kind) {
    case 'text':
      return guardedParts(cell.text)
    case 'number':
      return cell.value.toFixed(cell.decimals)
    case 'time':
      return cell.at
    case 'day':
      return cell.day
    default:
      return unreachable(cell)
  }
}
