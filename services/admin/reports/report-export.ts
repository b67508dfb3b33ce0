import { maxWorkbookRows, type ExportFormat } from '#contracts/admin/exports'
import { reports } from '#contracts/finance/report-columns'
import { createAccessRecords } from '#services/commands/access-records'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { formatCount } from '#services/foundation/format-count'
import { StartupError, UsageError } from '#services/foundation/startup-error'
import type { SentDownload } from '#services/http/answer'
import { commandContext } from '#services/http/command-context'
import type { RequestContext } from '#services/http/endpoint'
import { HttpError } from '#services/http/http-error'
import { administratorKeys, type Limits } from '#services/http/limits'
import { contentOf } from '#services/reports/formats/content-of'
import type { GivenParameters } from '#services/reports/parse-parameters'
import type { ReportReader } from '#services/reports/report-reader'
import { exportContentTypes } from '../exports/content-types.ts'
import { exportFileName } from '../exports/file-name.ts'
import { recordedFirst } from '../exports/recorded-first.ts'
import { sentWhileAllowed, type ExportAccess } from '../exports/sent-while-allowed.ts'
import type { AskedReport } from './asked-report.ts'
import { reportRefusal } from './report-refusal.ts'

interface ExportParts {
  readonly reader: ReportReader
  readonly commands: CommandHandler
  readonly limits: Pick<Limits, 'listExport'>
  readonly access: ExportAccess
  readonly clock: Clock
}

/** Exports of reports, as the command writes them. */
export function createReportExports(parts: ExportParts) {
  const { reader, commands, limits, access, clock } = parts
  const accesses = createAccessRecords({ commands, clock })

  return {
    /**
     * The export is recorded. A report has no personal data, but its event ids lead to customers.
     */
    sent(
      { name, parameters }: AskedReport,
      given: GivenParameters,
      format: ExportFormat,
      context: RequestContext & { readonly adminId: string },
    ): SentDownload {
      const now = clock.now()
      const { adminId, admin } = context
      return {
        contentType: exportContentTypes[format],
        fileName: exportFileName(reports[name].title, now, format),
        async *parts(signal) {
          try {
            await limits.listExport.spend(...administratorKeys(context))
            const file = reader.report(name, parameters, {
              computedAt: now.toISOString(),
              signal,
              ofAllEvents: true,
            })
            const rows = sentWhileAllowed(file.rows(), { adminId, handle: admin.handle }, access)
            try {
              const all = await begun(rows)
              const content = contentOf({ ...file, rows: all }, format, signal)
              yield* recordedFirst(content, () => record(signal))
            } finally {
              await rows.return()
            }
          } catch (error) {
            throw asRefusal(error)
          }
        },
      }

      async function record(signal: AbortSignal): Promise<void> {
        const filters = Object.fromEntries(
          Object.entries(given).filter((entry): entry is [string, string] => Boolean(entry[1])),
        )
        // The rows are not known before the first part.
        const taken = { list: `reports/${name}`, rows: null, isSearched: false }
        await accesses.recordThen(
          { type: 'DataExported', data: { ...taken, adminId, format, filters } },
          commandContext(context, { kind: 'admin', id: adminId }),
          ({ position }) => {
            // A client that is gone takes nothing.
            signal.throwIfAborted()
            admin.remember(position)
          },
        )
      }
    },
  }
}

/**
 * Reads the first batch now. A report that is refused there has an answer with a sentence: after
 * the first bytes of the file, only the connection could be broken.
 */
async function begun<Batch>(
  batches: AsyncGenerator<Batch, void, undefined>,
): Promise<() => AsyncGenerator<Batch, void, undefined>> {
  const first = await batches.next()
  return async function* () {
    if (first.done === true) return
    yield first.value
    yield* batches
  }
}

function asRefusal(error: unknown): unknown {
  if (!(error instanceof StartupError) || error instanceof UsageError) return reportRefusal(error)
  return new HttpError(
    400,
    `An XLSX file has ${formatCount(maxWorkbookRows)} rows at most. Export the report as CSV, or choose fewer months.`,
    { cause: error },
  )
}
