import { maxReportRows, type ReportResponse } from '#contracts/admin/reports'
import type { ReportName } from '#contracts/finance/report-columns'
import { formatCount } from '#services/foundation/format-count'
import { HttpError } from '#services/http/http-error'
import type { ReportFile } from '#services/reports/formats/report-file'
import { valueOf } from '#services/reports/formats/value-of'

/** The rows of a page of the answer. Null: all rows. */
type Range = { readonly page: number; readonly pageSize: number } | null

/**
 * A report as the command writes it in JSON, with the time. Keeps only the rows of the page in
 * memory.
 * @throws HttpError 400 if the report has too many rows for one answer
 */
export async function reportAnswer(
  name: ReportName,
  { columns, parameters, computedAt, rows, position }: ReportFile,
  range: Range,
): Promise<ReportResponse> {
  const first = range === null ? 0 : (range.page - 1) * range.pageSize
  const end = range === null ? Infinity : first + range.pageSize
  const kept: ReportResponse['rows'] = []
  let total = 0
  for await (const batch of rows()) {
    for (const row of batch) {
      if (total >= first && total < end)
        kept.push(Object.fromEntries(columns.map((column) => [column.name, valueOf(row, column)])))
      total += 1
    }
    if (kept.length > maxReportRows)
      throw new HttpError(
        400,
        `The report ${name} has more than ${formatCount(maxReportRows)} rows. Name fewer months with from and to, ask for a page, or export the report as CSV.`,
      )
  }
  const answer = {
    report: name,
    parameters: { ...parameters },
    position: position(),
    computed_at: computedAt,
    rows: kept,
  }
  return range === null ? answer : { ...answer, total }
}
