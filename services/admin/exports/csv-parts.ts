import { byteOrderMark, csvHeader, csvRows } from '#services/tables/csv'
import type { ExportedList } from './exported-list.ts'
import { recordedFirst } from './recorded-first.ts'

/** The parts of a CSV file of any size. */
export function csvParts(list: ExportedList): AsyncGenerator<string, void, undefined> {
  return recordedFirst(partsOf(list), () => list.record(list.total))
}

/**
 * Each part waits until the rows after it are read. So a list of one batch either comes whole, or
 * is refused with a sentence and without a record.
 */
async function* partsOf({ columns, batches }: ExportedList): AsyncGenerator<string> {
  let held = byteOrderMark + csvHeader(columns.map(({ header }) => header))
  let isFirst = true
  for await (const rows of batches()) {
    if (!isFirst) {
      yield held
      held = ''
    }
    held += csvRows(rows)
    isFirst = false
  }
  yield held
}
