import { csvHeader, csvRows } from '#services/tables/csv'
import { cellOf } from './cell.ts'
import type { ReportFile } from './report-file.ts'

/** A CSV file by RFC 4180. The header has the names of the columns. */
export async function* csvReport({ columns, rows }: ReportFile): AsyncGenerator<string> {
  yield csvHeader(columns.map(({ name }) => name))
  for await (const batch of rows())
    if (batch.length > 0)
      yield csvRows(batch.map((row) => columns.map((column) => cellOf(row, column))))
}
