import { unreachable } from '#services/foundation/decider'
import { csvReport } from './csv.ts'
import { jsonReport } from './json.ts'
import type { ReportFile, ReportFormat } from './report-file.ts'
import { textTable } from './text-table.ts'
import { xlsxReport } from './xlsx.ts'

/** The content of a report's file in parts. */
export function contentOf(
  report: ReportFile,
  format: ReportFormat,
  signal: AbortSignal,
): AsyncIterable<string | Uint8Array> {
  switch (format) {
    case 'table':
      return textTable(report)
    case 'csv':
      return csvReport(report)
    case 'json':
      return jsonReport(report)
    case 'xlsx':
      return xlsxReport(report, signal)
    default:
      return unreachable(format)
  }
}
