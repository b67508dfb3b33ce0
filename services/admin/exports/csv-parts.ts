import { byteOrderMark, csvHeader, csvRows } from '#services/tables/csv'
import type { ExportedList } from './exported-list.ts'

/**
 * The parts of a CSV file of any size. The export is recorded before the first part, so a download
 * that the client ends early is recorded too.
 */
export async function* csvParts(list: ExportedList): AsyncGenerator<string, void, undefined> {
  await list.record(list.total)
  yield byteOrderMark + csvHeader(list.columns.map(({ header }) => header))
  for await (const rows of list.batches()) yield csvRows(rows)
}
