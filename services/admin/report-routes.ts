import { z } from 'zod'
import {
  reportEventsQuery,
  reportEventsResponse,
  reportExportQuery,
  reportQuery,
  reportResponse,
  reportsOverview,
} from '#contracts/admin/reports'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { daysIn, type TimeZone } from '#services/finance/time-zone'
import { download } from '#services/http/answer'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import type { ReportReader } from '#services/reports/report-reader'
import { exportContentTypes } from './exports/content-types.ts'
import type { HistoryQueries } from './history/history-queries.ts'
import type { EventLogParts } from './history/read-events.ts'
import type { ExportAccess } from './exports/sent-while-allowed.ts'
import { askedReport } from './reports/asked-report.ts'
import { figureAnswer } from './reports/figure-answer.ts'
import { reportAnswer } from './reports/report-answer.ts'
import { reportRefusal } from './reports/report-refusal.ts'
import { createReportExports } from './reports/report-export.ts'

export interface ReportRouteParts {
  readonly reader: ReportReader
  readonly timeZone: TimeZone
  readonly queries: Pick<HistoryQueries, 'ready' | 'emails'>
  readonly log: EventLogParts
  readonly commands: CommandHandler
  readonly limits: Pick<Limits, 'listExport'>
  readonly access: ExportAccess
  /** The business clock. */
  readonly clock: Clock
}

const params = z.object({ name: z.string().min(1).max(60) })

/** The routes of the Reports page: a report, the events behind a figure, and exports. */
export function reportRoutes(parts: ReportRouteParts): Routes {
  const { reader, timeZone, queries, clock } = parts
  const dayOf = daysIn(timeZone)
  const exports = createReportExports(parts)

  return (route) => {
    route({
      method: 'get',
      path: '/api/admin/reports',
      work: 'reports',
      summary: 'Read what the reports cover',
      access: 'admin',
      right: 'reports',
      answer: reportsOverview,
      async handle(_input, { signal }) {
        const now = clock.now().toISOString()
        const state = await reader.state(signal)
        return {
          time_zone: timeZone,
          now,
          today: dayOf(now),
          first_month: state.firstMonth,
          closed_through: state.closedThrough,
          position: state.position,
          paused_since: state.pausedSince,
          parked_customers: state.parkedCustomers,
          skipped_events: state.skippedEvents,
        }
      },
    })

    route({
      method: 'get',
      path: '/api/admin/reports/:name',
      work: 'reports',
      summary: 'Read a report',
      access: 'admin',
      right: 'reports',
      params,
      query: reportQuery,
      answer: reportResponse,
      alsoAnswers: [409],
      async handle({ params: { name }, query: { page, pageSize, ...given } }, { signal }) {
        const now = clock.now()
        const asked = askedReport(name, given, timeZone, now)
        const file = reader.report(asked.name, asked.parameters, {
          computedAt: now.toISOString(),
          signal,
        })
        const range = page === undefined ? null : { page, pageSize }
        return refusing(reportAnswer(asked.name, file, range))
      },
    })

    route({
      method: 'get',
      path: '/api/admin/reports/:name/events',
      work: 'reports',
      summary: 'Read the events behind a figure of a report',
      access: 'admin',
      right: 'reports',
      params,
      query: reportEventsQuery,
      answer: reportEventsResponse,
      alsoAnswers: [409],
      async handle({ params: { name }, query }, context) {
        const asked = askedReport(name, query, timeZone, clock.now())
        await queries.ready(context)
        const { column, after, pageSize } = query
        return refusing(
          figureAnswer(parts, {
            ...asked,
            column,
            query,
            after: after === undefined ? null : Number(after),
            pageSize,
            signal: context.signal,
          }),
        )
      },
    })

    route({
      method: 'get',
      path: '/api/admin/reports/:name/export',
      appends: 'administrator',
      work: 'exports',
      summary: 'Export a report',
      access: 'admin',
      right: 'export',
      ignoresIdempotencyKey: true,
      params,
      query: reportExportQuery,
      answer: download(Object.values(exportContentTypes), 'The report as the command writes it'),
      alsoAnswers: [409, 429],
      async handle({ params: { name }, query: { format, ...given } }, context) {
        const asked = askedReport(name, given, timeZone, clock.now())
        return exports.sent(asked, given, format, context)
      },
    })
  }
}

async function refusing<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    throw reportRefusal(error)
  }
}
