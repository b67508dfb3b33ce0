import dayjs from 'dayjs'
import utc from 'dayjs/plugin/utc.js'
import type { Instant } from '#contracts/instant'

dayjs.extend(utc)

/** Every date on the product's pages is in this zone, so that two people who compare read the same day. */
export const timeZoneName = 'UTC'

/** `Mar 3, 2026` */
export const formatDay = (at: Instant) => dayjs.utc(at).format('MMM D, YYYY')

/** `March 3, 2026` */
export const formatLongDay = (at: Instant) => dayjs.utc(at).format('MMMM D, YYYY')

/** `9:12 AM` */
export const formatTime = (at: Instant) => dayjs.utc(at).format('h:mm A')

/** Midnights passed from one instant to another: 1 from 23:59 to 0:00. Negative when `to` is earlier. */
export function calendarDaysBetween(from: Instant, to: Instant): number {
  return dayjs.utc(to).startOf('day').diff(dayjs.utc(from).startOf('day'), 'day')
}

/** How many days are left until `end`; 0 once it has passed. */
export const daysLeft = (now: Instant, end: Instant) => Math.max(0, calendarDaysBetween(now, end))

/** The day numbers, counted from `start`, on which a month has gone by since: 31, 59, 90 after January 1. */
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
