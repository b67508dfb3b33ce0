import { feesExportQuery, feesQuery, feesResponse } from '#contracts/receivables/fees'
import { download } from '#services/http/answer'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import { csvFile, feeHeaders, feeRows } from './csv-files.ts'
import type { ReceivablesQueries } from './receivables-queries.ts'
import type { Receivables } from './receivables-service.ts'

/** The product's fees on the payments of a merchant's clients: the list, and the same as CSV. */
export function feeRoutes({
  receivables,
  queries,
  limits,
}: {
  readonly receivables: Pick<Receivables, 'calendarOf'>
  readonly queries: Pick<ReceivablesQueries, 'ready' | 'fees' | 'exportedFees'>
  readonly limits: Pick<Limits, 'listExport'>
}): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/receivables/fees',
      summary: "List the fees on the clients' payments",
      access: 'customer',
      query: feesQuery,
      answer: feesResponse,
      async handle({ query }, context) {
        await queries.ready(context)
        return queries.fees(context.userId, query, context.signal)
      },
    })

    route({
      method: 'get',
      path: '/api/receivables/fees/export',
      work: 'exports',
      summary: "Export the fees on the clients' payments",
      access: 'customer',
      query: feesExportQuery,
      answer: download(['text/csv'], 'All payments of the list'),
      alsoAnswers: [429],
      async handle({ query }, context) {
        const { userId } = context
        await limits.listExport.spend(userId)
        const { today } = await receivables.calendarOf(userId)
        await queries.ready(context)
        return {
          contentType: 'text/csv',
          fileName: `fees-${query.month ?? today}.csv`,
          parts: (signal) =>
            csvFile(feeHeaders, queries.exportedFees(userId, query, signal), feeRows),
        }
      },
    })
  }
}
