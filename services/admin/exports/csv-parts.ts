import { byteOrderMark, csvHeader, csvRows } from '#services/tables/csv'
import type { ExportedList } from './exported-list.ts'
import { recordedFirst } from './recorded-first.ts'

/** The parts of a CSV file of any size. */
export function csvParts(list: ExportedList): AsyncGenerator<string, void, undefined> {
  return recordedFirst(partsOf(list), () => list.record(list.total))
}

/** The header comes with the first rows: before them, the list can still be refused. */
async function* partsOf({ columns, batches }: ExportedList): AsyncGenerator<string> {
  const header = byteOrderMark + csvHeader(columns.map((column) => column.header))
  let isBegun = false
  for await (const rows of batches()) {
    yield isBegun ? csvRows(rows) : header + csvRows(rows)
    isBegun = true
  }
  if (!isBegun) yield header
}
