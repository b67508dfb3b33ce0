import type { ReportParametersGiven, ReportsOverview } from '#contracts/admin/reports'
import { isReportName, reportNames, type ReportName } from '#contracts/finance/report-columns'
import { columnsOf } from './columns.ts'
import { addMonths, lastEndedMonth, monthOfDay } from './months.ts'

/** What the page shows. The URL holds it, so that a link shows the same. */
export interface ReportsView {
  readonly report: ReportName
  /** The first month. Null: all months. */
  readonly from: string | null
  readonly to: string
  readonly currency: string | null
  /** Null: today. */
  readonly asOf: string | null
  /** Null: all events. */
  readonly knownAt: string | null
  /** The page of a long report. */
  readonly page: number
}

/** In the URL: all months, instead of the last twelve. */
export const allMonths = 'all'
const monthsShown = 12

/** The view of a URL. A missing or invalid text counts as the default: the last twelve months. */
export function viewOf(params: URLSearchParams, { today }: ReportsOverview): ReportsView {
  const text = (key: string, isValid: (text: string) => boolean) => {
    const given = params.get(key)
    return given !== null && isValid(given) ? given : null
  }
  const asOf = text('asOf', isDay)
  const last = monthOfDay(asOf ?? today)
  const givenTo = text('to', isMonth) ?? last
  const to = givenTo > last ? last : givenTo
  const report = params.get('report') ?? ''
  const months = params.get('from')
  const from = text('from', (month) => isMonth(month) && month <= to)
  return {
    report: isReportName(report) ? report : 'revenue',
    from: months === allMonths ? null : (from ?? addMonths(to, 1 - monthsShown)),
    to,
    currency: text('currency', (code) => /^[a-z]{3}$/.test(code)),
    asOf,
    knownAt: text('knownAt', (at) => isDay(at) || isInstant(at)),
    page: Math.max(1, Number(text('page', (page) => /^\d{1,6}$/.test(page)) ?? 1)),
  }
}

/*
 * Of the years 1900 to 2199: the server refuses later ones, and the page lists each month up to the
 * last one.
 */
const isMonth = (text: string) => /^(19|20|21)\d\d-(0[1-9]|1[0-2])$/.test(text)
const isDay = (text: string) =>
  isMonth(text.slice(0, 7)) && text.length === 10 && isTime(`${text}T00:00:00.000Z`, text)
const isInstant = (text: string) =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/.test(text) &&
  isMonth(text.slice(0, 7)) &&
  isTime(text, text.slice(0, 10))

/** Whether the time exists. JavaScript reads February 30 as March 2. */
function isTime(text: string, day: string): boolean {
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day)
}

/** The parameters of the view that have a meaning for the report. */
export function parametersOf(name: ReportName, view: ReportsView): ReportParametersGiven {
  const { from, to, currency, asOf, knownAt } = view
  const hasCurrency = columnsOf(name).some(({ kind }) => kind === 'currency')
  return {
    ...(from !== null && name !== 'trial-balance' && { from }),
    to,
    ...(currency !== null && hasCurrency && { currency }),
    ...(asOf !== null && { asOf }),
    ...(knownAt !== null && { knownAt }),
  }
}

/** The month of the key figures: the last one that has ended. */
export function fullMonthOf({ to, asOf }: ReportsView, today: string): string {
  const full = lastEndedMonth(asOf, today)
  return to < full ? to : full
}

/**
 * The view of the key figures. They are compared with the month before, so a view of one month
 * needs more months. Otherwise the key figures and the open report share their answers.
 */
export function keyFigureView(view: ReportsView, month: string): ReportsView {
  const isEnough = view.from === null || view.from < month
  return isEnough ? view : { ...view, from: addMonths(month, 1 - monthsShown) }
}

/** The reports with pages: their rows are lines of the ledger. */
export const isPaged = (name: ReportName) => name === 'journal' || name === 'adjustments'

export const reportsInOrder = reportNames
