import { withoutProof } from '#services/event-store/audit/event-proof'
import type { EventStore } from '#services/event-store/event-store'
import { financeLog } from '#services/reports/finance-log'
import { contentOf } from '#services/reports/formats/content-of'
import type { ReportFile, ReportFormat } from '#services/reports/formats/report-file'
import type { ReportName } from '#contracts/finance/report-columns'
import { parseParameters, type GivenParameters } from '#services/reports/parse-parameters'
import { reportByName } from '#services/reports/report-by-name'
import type { ReportRow } from '#services/finance/reports/report-types'
import { runReport } from '#services/reports/run-report'
import { zone } from './finance-values.ts'

export interface Computed {
  readonly rows: readonly ReportRow[]
  readonly position: string | null
}

/** What a test asks for. Amounts of the rows are minor units. */
export interface Asked extends GivenParameters {
  readonly timeZone?: string
  readonly explain?: boolean
}

const now = '2032-01-01T00:00:00.000Z'

/**
 * The reports over a log, whose MACs are not checked. Today is 2032-01-01, after every period of
 * the test data.
 */
export function reportsOver({ readAll }: Pick<EventStore, 'readAll'>) {
  const source = financeLog({ readAll, readStream: () => Promise.resolve([]) }, withoutProof)

  function file(name: ReportName, { timeZone = 'UTC', explain = false, ...given }: Asked = {}) {
    const parsed = parseParameters(given, zone(timeZone), now)
    if (parsed.kind === 'refused') throw new Error(parsed.problem)
    const options = { computedAt: now, isExplained: explain }
    return runReport(reportByName(name), parsed.parameters, source, options)
  }

  return {
    file,
    async compute(name: ReportName, asked?: Asked): Promise<Computed> {
      const report = file(name, asked)
      const rows: ReportRow[] = []
      for await (const batch of report.rows()) rows.push(...batch)
      return { rows, position: report.position() }
    },
    write: (name: ReportName, format: ReportFormat, asked?: Asked) =>
      written(file(name, asked), format),
  }
}

const never = new AbortController().signal

/** The bytes of a report's file. */
async function written(report: ReportFile, format: ReportFormat): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of contentOf(report, format, never)) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}
