import dayjs from 'dayjs'
import utc from 'dayjs/plugin/utc.js'
import type { Instant } from '#contracts/instant'
import { formatCount } from '../../../lib/money.ts'

dayjs.extend(utc)

/** A day of the merchant's calendar, such as `2026-11-25`. */
export type Day = string

export const addDays = (day: Day, days: number): Day =>
  dayjs.utc(day).add(days, 'day').format('YYYY-MM-DD')

/** Negative if `to` is earlier. */
export const daysBetween = (from: Day, to: Day): number =>
  dayjs.utc(to).diff(dayjs.utc(from), 'day')

export const isMonday = (day: Day): boolean => dayjs.utc(day).day() === 1

/** `Nov 25, 2026`. A line does not break within it. */
export const fullDay = (day: Day) => unbroken(dayjs.utc(day).format('MMM D, YYYY'))

/** `Nov 25`, with the year if it is not that of `today`. */
export const shortDay = (day: Day, today: Day) =>
  day.slice(0, 4) === today.slice(0, 4) ? unbroken(dayjs.utc(day).format('MMM D')) : fullDay(day)

/** `Wed, Nov 25, 2026` */
export const weekdayDate = (day: Day) => unbroken(dayjs.utc(day).format('ddd, MMM D, YYYY'))

/** `Wednesday, Nov 25, 2026` */
export const longDay = (day: Day) => dayjs.utc(day).format('dddd, MMM D, YYYY')

const unbroken = (date: string) => date.replaceAll(' ', '\u00a0')

/** `Nov 25, 2026`, in the merchant's time zone. */
export const instantDay = (at: Instant, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    timeZone,
  }).format(new Date(at))

/** `10:12 AM`, in the merchant's time zone. */
export function clockTime(at: Instant, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone }).format(
    new Date(at),
  )
}

export const countOf = (count: number, one: string, many = `${one}s`) =>
  `${formatCount(count)} ${count === 1 ? one : many}`
