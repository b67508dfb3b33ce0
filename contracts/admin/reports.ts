import { z } from 'zod'
import { reports, type ReportName } from '../finance/report-columns.ts'
import { instant } from '../instant.ts'
import { nameContracts } from '../name-contracts.ts'
import { exportFormats } from './exports.ts'
import { historyEvent } from './history.ts'

/** The rows of an answer without `page`. A longer report needs `page`, or is exported as CSV. */
export const maxReportRows = 20_000

/**
 * What a report is asked for, as texts by the names of the command's options. The server answers a
 * wrong value with 400 and a sentence that names it.
 */
const reportParameters = z
  .object({
    /** The first and the last month, such as `2026-03`. */
    from: z.string().max(40).optional(),
    to: z.string().max(40).optional(),
    /** The last day that counts. Default: today by the business clock. */
    asOf: z.string().max(40).optional(),
    /** A day, with its end, or an instant in UTC. Default: all events. */
    knownAt: z.string().max(40).optional(),
    currency: z.string().max(40).optional(),
  })
  .strict()

const page = z.coerce.number().int().min(1).max(1_000_000)
const pageSize = z.coerce.number().int().min(1).max(200).default(50)

/** `GET /api/admin/reports/{name}`. */
export const reportQuery = reportParameters.extend({
  /** Default: all rows. */
  page: page.optional(),
  pageSize,
})

const reportName = z.enum(Object.keys(reports) as [ReportName, ...ReportName[]])

/** A cell: an amount is a decimal text in major units of the row's currency. */
const reportValue = z.union([z.string(), z.number(), z.null()])

/** The members of `billing report --format json`, and the time. `total` only with `page`. */
export const reportResponse = z.object({
  report: reportName,
  /** By the names of the command's options. Null for one that was not given. */
  parameters: z.record(z.string(), z.string().nullable()),
  /** The log's position that the report covers. Null: no event is known. */
  position: z.string().nullable(),
  /** By the business clock. */
  computed_at: instant,
  rows: z.array(z.record(z.string(), reportValue)),
  /** The rows of all pages. */
  total: z.int().min(0).optional(),
})

/** The columns that identify the row of a figure. A row key may leave some out. */
const rowKey = {
  month: z.string().max(40).optional(),
  cohort: z.string().max(40).optional(),
  plan: z.string().max(300).optional(),
  type: z.string().max(300).optional(),
  reason: z.string().max(300).optional(),
  account: z.string().max(300).optional(),
  entry_id: z.string().max(600).optional(),
  closed_month: z.string().max(40).optional(),
}
export const rowKeyColumns = Object.keys(rowKey) as readonly (keyof typeof rowKey)[]

/**
 * `GET /api/admin/reports/{name}/events`. The figures of the rows that have the given texts are
 * added together; a text that is not given selects all rows. An empty text is an empty cell.
 * Amounts need a currency, because currencies are never added together. A line of the journal or
 * of the adjustments needs its `entry_id`.
 */
export const reportEventsQuery = reportParameters.extend({
  ...rowKey,
  column: z.string().max(60),
  /** `next` of the page before. Default: the first page. */
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'Use next of the page before.')
    .optional(),
  pageSize,
})

const figure = z.union([z.string(), z.number()])

export const reportEventsResponse = z.object({
  report: reportName,
  column: z.string(),
  currency: z.string().nullable(),
  /**
   * What the events add up to: a decimal text in major units, or a count. It is the figure, if
   * `is_sum`. A trial balance shows a balance on the side where the sum is positive.
   */
  sum: figure,
  /** False for a rate or a median: the events are those that it is computed from. */
  is_sum: z.boolean(),
  position: z.string().nullable(),
  /** The events of all pages, and so is `sum`. */
  total: z.int().min(0),
  /** `after` of the next page. Null on the last page. */
  next: z.string().nullable(),
  /** In the order of the log. An event appears once, with all that it adds to the figure. */
  items: z.array(
    z.object({
      /** The accounting date. */
      day: z.iso.date(),
      adds: figure,
      event: historyEvent,
    }),
  ),
})

/** `GET /api/admin/reports/{name}/export`. */
export const reportExportQuery = reportParameters.extend({ format: z.enum(exportFormats) })

/** `GET /api/admin/reports`. */
export const reportsOverview = z.object({
  /** REPORTING_TIME_ZONE. Days and months end in it. */
  time_zone: z.string(),
  /** The business clock. */
  now: instant,
  today: z.iso.date(),
  /** The month of the first event of billing. Null: there is none. */
  first_month: z.string().nullable(),
  /** This month and all months before it are closed. Null: none is. */
  closed_through: z.string().nullable(),
  position: z.string().nullable(),
  /** Since when an event that cannot be folded stops all figures. Null: they continue. */
  paused_since: instant.nullable(),
  /** The customers of whom an event cannot be folded: the figures lack their later events. */
  parked_customers: z.int().min(0),
  /** The events that an operator has skipped and that the figures lack. */
  skipped_events: z.int().min(0),
})

export type ReportParametersGiven = z.infer<typeof reportParameters>
export type ReportQuery = z.input<typeof reportQuery>
export type ReportResponse = z.infer<typeof reportResponse>
export type ReportEventsQuery = z.input<typeof reportEventsQuery>
export type ReportEventsResponse = z.infer<typeof reportEventsResponse>
export type ReportsOverview = z.infer<typeof reportsOverview>

nameContracts({
  Report: reportResponse,
  ReportEvents: reportEventsResponse,
  ReportsOverview: reportsOverview,
})
