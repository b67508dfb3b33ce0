import { clientsExportQuery } from '#contracts/receivables/clients'
import { invoicesExportQuery } from '#contracts/receivables/invoices'
import { download } from '#services/http/answer'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import { clientHeaders, clientRows, csvFile, invoiceHeaders, invoiceRows } from './csv-files.ts'
import type { ReceivablesQueries } from './receivables-queries.ts'
import type { Receivables } from './receivables-service.ts'
import { leftStepsOf } from './schedule/left-steps.ts'
import type { Schedules } from './schedule/schedules.ts'

const csv = download(['text/csv'], 'The whole filtered list')

/** The lists of invoices and clients as CSV, whole and filtered. */
export function receivablesExportRoutes({
  receivables,
  queries,
  schedules,
  limits,
}: {
  readonly receivables: Pick<Receivables, 'calendarOf'>
  readonly queries: Pick<ReceivablesQueries, 'ready' | 'exportedInvoices' | 'exportedClients'>
  readonly schedules: Pick<Schedules, 'read'>
  readonly limits: Pick<Limits, 'listExport'>
}): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/receivables/invoices/export',
      work: 'exports',
      summary: "Export the merchant's invoices",
      access: 'customer',
      query: invoicesExportQuery,
      answer: csv,
      alsoAnswers: [429],
      async handle({ query }, context) {
        const { userId } = context
        await limits.listExport.spend(userId)
        const { today } = await receivables.calendarOf(userId)
        await queries.ready(context)
        const schedule = await leftStepsOf(schedules, userId, query)
        return {
          contentType: 'text/csv',
          fileName: `invoices-${today}.csv`,
          parts: (signal) =>
            csvFile(
              invoiceHeaders,
              queries.exportedInvoices(userId, { ...query, schedule }, today, signal),
              invoiceRows,
            ),
        }
      },
    })

    route({
      method: 'get',
      path: '/api/receivables/clients/export',
      work: 'exports',
      summary: "Export the merchant's clients",
      access: 'customer',
      query: clientsExportQuery,
      answer: csv,
      alsoAnswers: [429],
      async handle({ query }, context) {
        const { userId } = context
        await limits.listExport.spend(userId)
        const { today } = await receivables.calendarOf(userId)
        await queries.ready(context)
        return {
          contentType: 'text/csv',
          fileName: `clients-${today}.csv`,
          parts: (signal) =>
            csvFile(
              clientHeaders,
              queries.exportedClients(userId, query, today, signal),
              clientRows,
            ),
        }
      },
    })
  }
}
