import dayjs from 'dayjs'
import utc from 'dayjs/plugin/utc.js'
import type { Instant } from '#contracts/instant'

dayjs.extend(utc)

/** The time zone of all dates on the product's pages, so that every reader sees the same day. */
export const timeZoneName = 'UTC'

/** `Mar 3, 2026` */
export const formatDay = (at: Instant) => dayjs.utc(at).format('MMM D, YYYY')

/** `March 3, 2026` */
export const formatLongDay = (at: Instant) => dayjs.utc(at).format('MMMM D, YYYY')

/** `9:12 AM` */
export const formatTime = (at: Instant) => dayjs.utc(at).format('h:mm A')

/** `Mar 3, 2026, 9:12:05 AM UTC` */
export const formatExactTime = (at: Instant) => dayjs.utc(at).format('MMM D, YYYY, h:mm:ss A [UTC]')

/** `9:12:04 AM`: with seconds, for the audit screens. */
export const formatClock = (at: Instant) => dayjs.utc(at).format('h:mm:ss A')

/**
 * The number of midnights between two instants: 1 from 23:59 to 0:00. Negative if `to` is earlier.
 */
export function calendarDaysBetween(from: Instant, to: Instant): number {
  return dayjs.utc(to).startOf('day').diff(dayjs.utc(from).startOf('day'), 'day')
}

/** The number of days until `end`; 0 after `end`. */
export const daysLeft = (now: Instant, end: Instant) => Math.max(0, calendarDaysBetween(now, end))

/**
 * The days, counted from `start`, on which another month has passed: 31, 59, 90 after January 1.
 */
export function monthlyDayNumbers(start: Instant, days: number): number[] {
  const first = dayjs.utc(start).startOf('day')
  const numbers: number[] = []
  for (let months = 1; ; months += 1) {
    const day = first.add(months, 'month').diff(first, 'day')
    if (day > days) return numbers
    numbers.push(day)
  }
}

/** `1 day`, `13 days` */
export const countDays = (days: number) => `${days} ${days === 1 ? 'day' : 'days'}`

const daysInWords = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })

/** The calendar days from `now` in words: `in 13 days`, `tomorrow`, `today`, `3 days ago`. */
export const relativeDays = (now: Instant, at: Instant) =>
  daysInWords.format(calendarDaysBetween(now, at), 'day')
