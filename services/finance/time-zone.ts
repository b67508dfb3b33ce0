import type { Instant } from '#contracts/instant'
import { clockOf, offsetAt } from '#services/foundation/zone-offset'
import { dayOfNumber, type Day } from './calendar.ts'

declare const checked: unique symbol

/** The IANA name of a time zone, such as `America/New_York`. Only `parseTimeZone` makes one. */
export type TimeZone = string & { readonly [checked]: 'TimeZone' }

/** Null for an offset such as `+02:00`, and for a name that is not in Node's time zone data. */
export function parseTimeZone(text: string): TimeZone | null {
  if (!/^[a-z]/i.test(text)) return null
  try {
    clockOf(text)
    return text as TimeZone
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** The day of an instant in one time zone. */
export type DayOf = (at: Instant) => Day

const msOfDay = 86_400_000

/**
 * No zone changes its offset twice within a day of UTC. So two equal offsets, at the start and the
 * end of such a day, are the offset of the whole day. Only the days with a change ask Intl for each
 * instant, which takes microseconds.
 */
export function daysIn(timeZone: TimeZone): DayOf {
  const clock = clockOf(timeZone)
  const startOffsets = new Map<number, number>()
  const dayOffsets = new Map<number, number | 'changes'>()

  const offsetAtStart = (utcDay: number): number => {
    const known = startOffsets.get(utcDay)
    if (known !== undefined) return known
    const offset = offsetAt(clock, utcDay * msOfDay)
    startOffsets.set(utcDay, offset)
    return offset
  }

  return (at) => {
    const ms = Date.parse(at)
    const utcDay = Math.floor(ms / msOfDay)
    let offset = dayOffsets.get(utcDay)
    if (offset === undefined) {
      const start = offsetAtStart(utcDay)
      offset = start === offsetAtStart(utcDay + 1) ? start : 'changes'
      dayOffsets.set(utcDay, offset)
    }
    const local = ms + (offset === 'changes' ? offsetAt(clock, ms) : offset)
    return dayOfNumber(Math.floor(local / msOfDay))
  }
}
