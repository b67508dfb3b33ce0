import { dayOfNumber, lastDayOf, monthOf, type Day, type Month } from '../calendar.ts'
import type { ReportParameters } from './report-types.ts'

/** The last month of a report: `to`, but not after the month of `asOf`. */
export function lastMonth({ to, asOf }: Pick<ReportParameters, 'to' | 'asOf'>): Month {
  const month = monthOf(asOf)
  return to !== null && to < month ? to : month
}

/** The last day that counts: `asOf`, but not after the end of `to`. */
export function lastDay({ to, asOf }: Pick<ReportParameters, 'to' | 'asOf'>): Day {
  const end = to === null ? asOf : lastDayOf(to)
  return end < asOf ? end : asOf
}

/** Whether a month is one of the report. */
export function isReported(
  month: string,
  { from, ...until }: Pick<ReportParameters, 'from' | 'to' | 'asOf'>,
): boolean {
  return (from === null || month >= from) && month <= lastMonth(until)
}

/** The first month of a report: `from`, or a month before all others. */
export function firstMonth({ from }: Pick<ReportParameters, 'from'>): Month {
  return from ?? monthOf(dayOfNumber(0))
}
