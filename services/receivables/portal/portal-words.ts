import { formatCount } from '#services/foundation/format-count'
import type { Instant } from '#contracts/instant'
import type { Day } from '#services/finance/calendar'
import type { TimeZone } from '#services/finance/time-zone'

const long = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const short = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' })
const list = new Intl.ListFormat('en-US', { type: 'conjunction' })

/** `Nov 25, 2026`. */
export const longDay = (day: Day): string => long.format(new Date(day))
/** `Nov 25`. */
export const shortDay = (day: Day): string => short.format(new Date(day))

/** `Friday`. */
export const weekdayText = (day: Day): string => weekday.format(new Date(day))

/** `Nov 25, 10:13 AM` in the merchant's zone. */
export function momentText(at: Instant, timeZone: TimeZone): string {
  return new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  }).format(new Date(at))
}

/** `$840.00, €20.00, and £5.00`. */
export const listText = (texts: readonly string[]): string => list.format(texts)

/** `1 day`, `3 days`. */
export function countText(count: number, what: string): string {
  return `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`
}
