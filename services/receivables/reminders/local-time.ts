import type { Instant } from '#contracts/instant'
import { numberOfDay, type Day } from '#services/finance/calendar'
import { daysIn, type DayOf, type TimeZone } from '#services/finance/time-zone'
import { clockOf, offsetAt } from '#services/foundation/zone-offset'

/** The clock of one place. */
export interface LocalTime {
  readonly dayOf: DayOf
  /**
   * The instant of `HH:MM` on a day. A time that the clock skips in spring is as many minutes after
   * the change as it is after the skipped hour's start. A time that exists twice in autumn is the
   * first one. RFC 5545 and Temporal (`compatible`) decide so too.
   */
  instantOf(day: Day, time: string): Instant
}

const msOfDay = 86_400_000
const msOfMinute = 60_000
const known = new Map<TimeZone, LocalTime>()

/** The clock of a time zone. Kept for the process: an IANA name is one of a few hundred. */
export function localTime(timeZone: TimeZone): LocalTime {
  const kept = known.get(timeZone)
  if (kept !== undefined) return kept
  const made = create(timeZone)
  known.set(timeZone, made)
  return made
}

/** Each zone keeps the instants of the last days that were asked for: most clients share them. */
const maxKept = 4_096

function create(timeZone: TimeZone): LocalTime {
  const clock = clockOf(timeZone)
  const instants = new Map<string, Instant>()
  return {
    dayOf: daysIn(timeZone),
    instantOf(day, time) {
      const key = `${day} ${time}`
      const kept = instants.get(key)
      if (kept !== undefined) return kept
      const [hours = 0, minutes = 0] = time.split(':').map(Number)
      const local = numberOfDay(day) * msOfDay + (hours * 60 + minutes) * msOfMinute
      // No zone changes its offset twice within two days: these are the offsets around the time.
      const before = local - offsetAt(clock, local - msOfDay)
      const after = local - offsetAt(clock, local + msOfDay)
      const isBefore = before + offsetAt(clock, before) === local
      const isAfter = after + offsetAt(clock, after) === local
      const ms = isBefore && isAfter ? Math.min(before, after) : isAfter ? after : before
      const at = new Date(ms).toISOString()
      if (instants.size >= maxKept) instants.clear()
      instants.set(key, at)
      return at
    },
  }
}
