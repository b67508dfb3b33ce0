import type { SentRow } from '#contracts/receivables/imports'

/** The server takes 500 rows and 1 MB a call. */
const maxRows = 500
const maxBytes = 900_000
/** A part is a fortieth of the file, as a tick of the progress is. */
const parts = 40
const minRows = 50

const encoder = new TextEncoder()

/** Rows of an import as parts that one call can have. */
export function partsToStore(rows: readonly SentRow[]): readonly (readonly SentRow[])[] {
  const size = Math.min(maxRows, Math.max(minRows, Math.ceil(rows.length / parts)))
  return divide(rows, size)
}

export const partsToCheck = (rows: readonly SentRow[]) => divide(rows, maxRows)

function divide(rows: readonly SentRow[], size: number): readonly (readonly SentRow[])[] {
  const divided: SentRow[][] = []
  let bytes = 0
  for (const row of rows) {
    const ofRow = encoder.encode(JSON.stringify(row)).length + 1
    const last = divided.at(-1)
    if (last === undefined || last.length >= size || bytes + ofRow > maxBytes) {
      divided.push([row])
      bytes = ofRow
    } else {
      last.push(row)
      bytes += ofRow
    }
  }
  return divided
}
