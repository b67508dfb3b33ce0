import { z } from 'zod'
import { exportFormats, type ExportFormat } from '#contracts/admin/exports'
import { adminListNames, adminLists, type AdminListName } from '#contracts/admin/lists'
import { personOf } from '#services/administrators/second-person/person-of'
import { download } from '#services/http/answer'
import { administratorKeys, type Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import type { ExportApprovals } from './export-approvals/export-approvals.ts'
import { exportContentTypes } from './exports/content-types.ts'
import type { QueryOf } from './exports/exported-columns.ts'
import { eventStream, type ExportQueries, type SentLists } from './exports/sent-list.ts'

export interface ExportParts {
  readonly queries: Pick<ExportQueries, 'ready'>
  readonly lists: SentLists
  readonly approvals: Pick<ExportApprovals, 'permitAlone'>
  readonly limits: Pick<Limits, 'listExport'>
}

const summaries: Readonly<Record<AdminListName, string>> = {
  users: 'Export users',
  payments: 'Export payments',
  'active-subscriptions': 'Export active subscriptions',
  enquiries: 'Export enquiries',
  refunds: 'Export refunds',
}

/** Exports of the administrator's lists, whole and filtered, as CSV or XLSX. */
export function adminExportRoutes({ queries, lists, approvals, limits }: ExportParts): Routes {
  return (route) => {
    for (const name of adminListNames) exportRoute(name, summaries[name])

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
        alsoAnswers: [404, 409, 429],
        async handle({ query: { format, ...filters } }, context) {
          await limits.listExport.spend(...administratorKeys(context))
          await queries.ready(context)
          // The schema of the same list parsed the filters.
          const query = { ...adminLists[name].query.parse(filters) } as QueryOf<Name>
          const permit = approvals.permitAlone(await personOf(context), query.search !== '')
          return lists.sent({ list: name, query, format: format as ExportFormat, permit }, context)
        },
      })
    }
  }
}
