import { z } from 'zod'
import {
  exportFormats,
  exportName,
  mostWorkbookRows,
  type ExportEvents,
  type ExportFormat,
} from '#contracts/admin/exports'
import { adminLists, type AdminListName } from '#contracts/admin/lists'
import type { AdminAccessEvent } from '#contracts/events/admin-access'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { formatCount } from '#services/foundation/format-count'
import { adminAccessStream } from '#services/foundation/stream-names'
import { download, type SentDownload } from '#services/http/answer'
import { commandContext } from '#services/http/command-context'
import type { RequestContext } from '#services/http/endpoint'
import { eventFrame } from '#services/http/event-stream'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import { csvHeader, csvRows } from './exports/csv.ts'
import { exportedColumns, type ItemOf, type QueryOf } from './exports/exported-columns.ts'
import { exportFileName } from './exports/file-name.ts'
import { createWorkbook, type Workbook } from './exports/workbook.ts'
import type { AdminQueries } from './list-routes.ts'

export interface ExportQueries extends Pick<AdminQueries, 'ready' | 'lists'> {
  /** Every row of the filtered and sorted list, as of `now`, in batches. */
  readonly rows: {
    readonly [Name in AdminListName]: (
      query: QueryOf<Name>,
      now: Date,
    ) => AsyncGenerator<ItemOf<Name>[], void, undefined>
  }
}

export interface ExportParts {
  readonly queries: ExportQueries
  readonly commands: CommandHandler
  readonly limits: Pick<Limits, 'listExport'>
  /** The business clock: the name of the file, and the time of the list. */
  readonly clock: Clock
}

const contentTypes = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<ExportFormat, string>
const eventStream = 'text/event-stream'

/** Each export holds a connection of the pool while the client takes the file. */
const mostAtOnce = 3

/** Exports of the administrator's lists, whole and filtered, as CSV or XLSX. */
export function adminExportRoutes({ queries, commands, limits, clock }: ExportParts): Routes {
  let running = 0

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
        summary,
        access: 'admin',
        ignoresIdempotencyKey: true,
        query: listed
          .omit({ page: true, pageSize: true })
          .extend({ format: z.enum(exportFormats) }),
        answer: download(
          [contentTypes.csv, contentTypes.xlsx, eventStream],
          'The whole filtered list. An XLSX file is sent with its progress as text/event-stream, if the client prefers it',
        ),
        alsoAnswers: [404, 429],
        async handle({ query: { format, ...filters } }, context) {
          await limits.listExport.spend(context.adminId)
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
    const columns = exportedColumns[name]
    const label = exportName(name, query)
    const file = exportFileName(label, now, format)
    const cellsOf = (items: readonly ItemOf<Name>[]) =>
      items.map((item) => columns.map(({ cell }) => cell(item)))
    const withProgress =
      format === 'xlsx' && context.preferredType([contentTypes.xlsx, eventStream]) === eventStream

    return {
      contentType: withProgress ? eventStream : contentTypes[format],
      fileName: withProgress ? null : file,
      async *parts(signal) {
        if (running >= mostAtOnce) throw await notCounted(tooManyAtOnce())
        running += 1
        try {
          const total = await countRows()
          if (format === 'csv') yield* csv(total)
          else if (withProgress) yield* workbookEvents(total, signal)
          else yield await lastOf(workbook(total, signal))
        } finally {
          running -= 1
        }
      },
    }

    /** Null if the rows of a search are more than are counted. */
    async function countRows(): Promise<number | null> {
      const { total, totalIsExact } = await queries.lists[name](
        { ...query, page: 1, pageSize: 1 },
        now,
      )
      if (total === 0) throw await notCounted(new HttpError(404, 'No data to export'))
      return totalIsExact ? total : null
    }

    /** A refusal that read no list does not count against the sign-in. */
    async function notCounted(refusal: HttpError): Promise<HttpError> {
      await limits.listExport.refund(context.adminId)
      return refusal
    }

    async function* csv(total: number | null) {
      await record(total)
      yield csvHeader(columns.map(({ header }) => header))
      for await (const items of queries.rows[name](query, now)) yield csvRows(cellsOf(items))
    }

    /** Yields the number of rows in the workbook, and returns the file. */
    async function* workbook(total: number | null, signal: AbortSignal) {
      if (total !== null && total > mostWorkbookRows) throw await notCounted(tooManyRows())
      const made = createWorkbook(
        { sheet: label, columns: columns.map(({ header, width }) => ({ header, width })) },
        signal,
      )
      try {
        const rows = yield* fill(made, signal)
        const content = await made.finish()
        await record(rows)
        return content
      } finally {
        await made.close()
      }
    }

    async function* fill(made: Workbook, signal: AbortSignal): AsyncGenerator<number, number> {
      let rows = 0
      for await (const items of queries.rows[name](query, now)) {
        signal.throwIfAborted()
        if (rows + items.length > mostWorkbookRows) throw tooManyRows()
        await made.add(cellsOf(items))
        rows += items.length
        yield rows
      }
      return rows
    }

    /** An error after the first progress is an event, because the status was sent. */
    async function* workbookEvents(total: number | null, signal: AbortSignal) {
      const making = workbook(total, signal)
      let isBegun = false
      try {
        for (;;) {
          const { done, value } = await making.next()
          if (done === true) {
            yield eventOf('file', { name: file, base64: Buffer.from(value).toString('base64') })
            return
          }
          yield eventOf('progress', { rows: value, total })
          isBegun = true
        }
      } catch (error) {
        if (!isBegun || !(error instanceof HttpError)) throw error
        yield eventOf('error', { error: error.message })
      } finally {
        await making.return(new Uint8Array())
      }
    }

    async function record(rows: number | null): Promise<void> {
      const { search, sort: _sort, order: _order, page: _page, pageSize: _size, ...filters } = query
      const occurredAt = clock.now().toISOString()
      const exported: AdminAccessEvent = {
        type: 'DataExported',
        data: {
          adminId: context.adminId,
          list: name,
          format,
          rows,
          filters: Object.fromEntries(
            Object.entries(filters)
              .filter(([, value]) => value !== undefined && value !== 'all')
              .map(([key, value]) => [key, String(value)]),
          ),
          isSearched: search !== '',
        },
      }
      const { position } = await commands.record({
        stream: adminAccessStream(occurredAt),
        event: { ...exported, occurredAt },
        context: commandContext(context, { kind: 'admin', id: context.adminId }),
      })
      context.admin.remember(position)
    }
  }
}

/** What the generator returns. */
async function lastOf<Last>(parts: AsyncGenerator<unknown, Last>): Promise<Last> {
  for (;;) {
    const { done, value } = await parts.next()
    if (done === true) return value
  }
}

function eventOf<Name extends keyof ExportEvents>(name: Name, data: ExportEvents[Name]): Buffer {
  return eventFrame(name, JSON.stringify(data))
}

function tooManyRows(): HttpError {
  return new HttpError(
    400,
    `An XLSX file has ${formatCount(mostWorkbookRows)} rows at most. Export the list as CSV, or narrow it with a search or a filter.`,
  )
}

function tooManyAtOnce(): HttpError {
  return new HttpError(
    429,
    'Other exports are in progress. Please wait until they are complete and try again.',
    { retryAfterSeconds: 10 },
  )
}
