import { formatCount } from '#services/foundation/format-count'
import type { Day } from '#services/finance/calendar'

const long = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const short = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const list = new Intl.ListFormat('en-US', { type: 'conjunction' })

/** `Nov 25, 2026`. */
export const longDay = (day: Day): string => long.format(new Date(day))
/** `Nov 25`. */
export const shortDay = (day: Day): string => short.format(new Date(day))

/** `$840.00, €20.00, and £5.00`. */
export const listText = (texts: readonly string[]): string => list.format(texts)

/** `1 day`, `3 days`. */
export function countText(count: number, what: string): string {
  return `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`
}
