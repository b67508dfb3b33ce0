import { cellText, isEmptyCell } from '../file/file-row.ts'
import type { TableRow } from './table.ts'

/**
 * The heading above each row, by the number of the row. A heading is alone in its row, in one of
 * the first two columns. Null if the rows have no headings, or only those of an aging report.
 */
export function groupHeadings(rows: readonly TableRow[]): ReadonlyMap<number, string> | null {
  const headings = new Map<number, string>()
  let heading = ''
  for (const row of rows) {
    const alone = loneText(row)
    if (alone !== null) heading = isTotal(alone) ? '' : alone
    else if (heading !== '') headings.set(row.row, heading)
  }
  const texts = new Set(headings.values())
  return [...texts].some((text) => !isAge(text)) ? headings : null
}

/** The text of a row with one value. */
export function loneText({ cells }: TableRow): string | null {
  const filled = cells.flatMap((cell, index) => (isEmptyCell(cell) ? [] : { cell, index }))
  const [only] = filled
  return filled.length === 1 &&
    only !== undefined &&
    only.index < 2 &&
    typeof only.cell === 'string'
    ? cellText(only.cell)
    : null
}

/** `Total`, `Total for Alder Dental`, `Grand total:`. */
export const isTotal = (text: string) => /^(?:grand |sub-? ?)?totals?\b|^sum\b/i.test(text)

/** `Current`, `1 - 30 days past due`, `91 or more days past due`, `> 90`. */
const isAge = (text: string) => /^current$|past due|\bdays?\b|^[<>]? ?\d+/i.test(text)
