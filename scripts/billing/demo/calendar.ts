import dayjs from 'dayjs'
import utc from 'dayjs/plugin/utc.js'

dayjs.extend(utc)

/** The days of the demo, counted from 0. The first day is a date in UTC. */
export interface Calendar {
  /** Number of days. */
  readonly length: number
  /** The time of each day at which its actions happen. */
  timeOf(day: number): Date
  /**
   * The day on which a period ends that began `months` calendar months before. It is the last day
   * of a shorter month.
   */
  addMonths(day: number, months: number): number
}

/** Office hours in most of the customers' time zones. The hour is the same on every day. */
const hour = 15

/** `first`: a date such as 2027-01-01. */
export function createCalendar(first: string, months: number): Calendar {
  const start = dayjs.utc(first)
  const addMonths = (day: number, count: number) =>
    start.add(day, 'day').add(count, 'month').diff(start, 'day')
  return {
    length: addMonths(0, months),
    timeOf: (day) => start.add(day, 'day').add(hour, 'hour').toDate(),
    addMonths,
  }
}

/** The first day of the month after `now`, as a date in UTC. */
export function nextMonth(now: Date): string {
  return dayjs.utc(now).add(1, 'month').startOf('month').format('YYYY-MM-DD')
}
