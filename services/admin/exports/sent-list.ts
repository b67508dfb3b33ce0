import { exportName, maxWorkbookRows, type ExportFormat } from '#contracts/admin/exports'
import type { AdminListName } from '#contracts/admin/lists'
import { createAccessRecords } from '#services/commands/access-records'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import type { SentDownload } from '#services/http/answer'
import { commandContext } from '#services/http/command-context'
import type { RequestContext } from '#services/http/endpoint'
import { HttpError } from '#services/http/http-error'
import { administratorKeys, type Limits } from '#services/http/limits'
import type { AdminQueries } from '../list-routes.ts'
import { exportContentTypes } from './content-types.ts'
import { csvParts } from './csv-parts.ts'
import { dataExported } from './data-exported.ts'
import type { ExportPermit } from './export-permit.ts'
import { exportedColumns, type ItemOf, type QueryOf } from './exported-columns.ts'
import { cellsOf, type ExportedList } from './exported-list.ts'
import { exportFileName } from './file-name.ts'
import { sentWhileAllowed, type ExportAccess } from './sent-while-allowed.ts'
import { tooManyRows, workbookEvents, workbookPart } from './workbook-parts.ts'

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

export interface SentListParts {
  readonly queries: ExportQueries
  readonly commands: CommandHandler
  readonly limits: Pick<Limits, 'listExport'>
  readonly access: ExportAccess
  /** The business clock: the name of the file, and the time of the list. */
  readonly clock: Clock
}

/** An export of a list, and what it needs. */
interface AskedExport<Name extends AdminListName> {
  readonly list: Name
  readonly query: QueryOf<Name>
  readonly format: ExportFormat
  readonly permit: ExportPermit
}

export const eventStream = 'text/event-stream'

export interface SentLists {
  /** The file, which is read while it is sent. */
  sent<Name extends AdminListName>(
    asked: AskedExport<Name>,
    context: RequestContext & { readonly adminId: string },
  ): SentDownload
}

/** Files of the administrator's lists, whole and filtered, as CSV or XLSX. */
export function createSentLists({
  queries,
  commands,
  limits,
  access,
  clock,
}: SentListParts): SentLists {
  const accesses = createAccessRecords({ commands, clock })

  return { sent }

  function sent<Name extends AdminListName>(
    { list: name, query, format, permit }: AskedExport<Name>,
    context: RequestContext & { readonly adminId: string },
  ): SentDownload {
    const now = clock.now()
    const { adminId } = context
    const label = exportName(name, query)
    const fileName = exportFileName(label, now, format)
    const withProgress =
      format === 'xlsx' &&
      context.preferredType([exportContentTypes.xlsx, eventStream]) === eventStream
    const eventOf = (rows: number | null) =>
      dataExported({ adminId, list: name, format, query }, rows)

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
      if (format === 'xlsx' && total !== null && total > maxWorkbookRows)
        throw await notCounted(tooManyRows())
      // The repeat of an export that sent nothing has used its permit.
      if (!accesses.isRepeat(eventOf(total), permit.key))
        await permit.check(total).catch(async (refusal: unknown) => {
          throw refusal instanceof HttpError ? await notCounted(refusal) : refusal
        })
      return {
        label,
        columns: exportedColumns[name],
        total,
        batches: () =>
          cellsOf(
            name,
            sentWhileAllowed(
              queries.rows[name](query, now, signal),
              { adminId, handle: context.admin.handle },
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
      await accesses.recordThen(
        eventOf(rows),
        commandContext(context, { kind: 'admin', id: adminId }),
        ({ position }) => {
          // A client that is gone takes nothing.
          signal.throwIfAborted()
          context.admin.remember(position)
        },
        { key: permit.key, use: (command) => permit.take(rows, command) },
      )
    }
  }
}
