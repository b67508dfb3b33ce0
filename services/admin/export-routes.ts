import { z } from 'zod'
import {
  exportFormats,
  exportName,
  mostWorkbookRows,
  type ExportFormat,
} from '#contracts/admin/exports'
import { adminLists, type AdminListName } from '#contracts/admin/lists'
import { createAccessRecords } from '#services/commands/access-records'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { download, type SentDownload } from '#services/http/answer'
import { commandContext } from '#services/http/command-context'
import type { RequestContext } from '#services/http/endpoint'
import { HttpError } from '#services/http/http-error'
import { administratorKeys, type Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import { exportContentTypes } from './exports/content-types.ts'
import { csvParts } from './exports/csv-parts.ts'
import { dataExported } from './exports/data-exported.ts'
import { exportedColumns, type ItemOf, type QueryOf } from './exports/exported-columns.ts'
import { cellsOf, type ExportedList } from './exports/exported-list.ts'
import { exportFileName } from './exports/file-name.ts'
import { sentWhileAllowed, type ExportAccess } from './exports/sent-while-allowed.ts'
import { tooManyRows, workbookEvents, workbookPart } from './exports/workbook-parts.ts'
import type { AdminQueries } from './list-routes.ts'

export interface ExportQueries extends Pick<AdminQueries, 'ready' | 'lists'> {
  /** Every row of the filtered and sorted list, as of `now`, in batches. */
  readonly rows: {
    readonly [Name in AdminListName]: (
      query: QueryOf<Name>,
      now: Date,
      signal: AbortSignal,
    ) => AsyncGenerator<ItemOf<Name>[], void, undefined>
  }
}

export interface ExportParts {
  readonly queries: ExportQueries
  readonly commands: CommandHandler
  readonly limits: Pick<Limits, 'listExport'>
  readonly access: ExportAccess
  /** The business clock: the name of the file, and the time of the list. */
  readonly clock: Clock
}

const eventStream = 'text/event-stream'

/** Exports of the administrator's lists, whole and filtered, as CSV or XLSX. */
export function adminExportRoutes({
  queries,
  commands,
  limits,
  access,
  clock,
}: ExportParts): Routes {
  const accesses = createAccessRecords({ commands, clock })

  return (route) => {
    exportRoute('users', 'Export users')
    exportRoute('payments', 'Export payments')
    exportRoute('active-subscriptions', 'Export active subscriptions')
    exportRoute('enquiries', 'Export enquiries')
    exportRoute('refunds', 'Export refunds')

    function exportRoute<Name extends AdminListName>(name: Name, summary: string): void {
      const listed: z.ZodObject = adminLists[name].query
      route({
        method: 'get',
        path: `/api/admin/${name}/export`,
        appends: 'administrator',
        work: 'exports',
        summary,
        access: 'admin',
        right: 'export',
        ignoresIdempotencyKey: true,
        query: listed
          .omit({ page: true, pageSize: true })
          .extend({ format: z.enum(exportFormats) }),
        answer: download(
          [exportContentTypes.csv, exportContentTypes.xlsx, eventStream],
          'The whole filtered list. An XLSX file is sent with its progress as text/event-stream, if the client prefers it',
        ),
        alsoAnswers: [404, 429],
        async handle({ query: { format, ...filters } }, context) {
          await limits.listExport.spend(...administratorKeys(context))
          await queries.ready(context)
          // The schema of the same list parsed the filters.
          const query = { ...adminLists[name].query.parse(filters) } as QueryOf<Name>
          return sentList(name, query, format as ExportFormat, context)
        },
      })
    }
  }

  function sentList<Name extends AdminListName>(
    name: Name,
    query: QueryOf<Name>,
    format: ExportFormat,
    context: RequestContext & { readonly adminId: string },
  ): SentDownload {
    const now = clock.now()
    const label = exportName(name, query)
    const fileName = exportFileName(label, now, format)
    const withProgress =
      format === 'xlsx' &&
      context.preferredType([exportContentTypes.xlsx, eventStream]) === eventStream

    return {
      contentType: withProgress ? eventStream : exportContentTypes[format],
      fileName: withProgress ? null : fileName,
      async *parts(signal) {
        const list = await exportedList(signal)
        if (format === 'csv') yield* csvParts(list)
        else if (withProgress) yield* workbookEvents(list, fileName, signal)
        else yield* workbookPart(list, signal)
      },
    }

    async function exportedList(signal: AbortSignal): Promise<ExportedList> {
      const counted = await queries.lists[name]({ ...query, page: 1, pageSize: 1 }, now, signal)
      const total = counted.totalIsExact ? counted.total : null
      if (total === 0) throw await notCounted(new HttpError(404, 'No data to export'))
      if (format === 'xlsx' && total !== null && total > mostWorkbookRows)
        throw await notCounted(tooManyRows())
      return {
        label,
        columns: exportedColumns[name],
        total,
        batches: () =>
          cellsOf(
            name,
            sentWhileAllowed(
              queries.rows[name](query, now, signal),
              { adminId: context.adminId, handle: context.admin.handle },
              access,
            ),
          ),
        record: (rows) => record(rows, signal),
      }
    }

    /** A refusal that read no list does not count against the sign-in. */
    async function notCounted(refusal: HttpError): Promise<HttpError> {
      await limits.listExport.refund(...administratorKeys(context))
      return refusal
    }

    async function record(rows: number | null, signal: AbortSignal): Promise<void> {
      const { adminId } = context
      await accesses.recordThen(
        dataExported({ adminId, list: name, format, query }, rows),
        commandContext(context, { kind: 'admin', id: adminId }),
        ({ position }) => {
          // A client that is gone takes nothing.
          signal.throwIfAborted()
          context.admin.remember(position)
        },
      )
    }
  }
}
