import { officeHours, onboardingHours, type OfficeHours } from '#contracts/brand/onboarding'
import type { Instant } from '#contracts/instant'
import { isFederalHoliday, weekdayOf } from './federal-holidays.ts'
import { clockOf, offsetAt } from './zone-offset.ts'

const msOfHour = 3_600_000
const msOfDay = 24 * msOfHour

/**
 * The instant at which `hours` business hours have passed since `start`. The last hour of a day
 * ends when the office closes, not when it opens again.
 * @throws RangeError for a negative number of hours, and for an unknown time zone
 */
export function afterBusinessHours(start: Instant, hours: number, office: OfficeHours): Instant {
  if (!(hours >= 0)) throw new RangeError(`Business hours must be 0 or more, not ${hours}.`)
  const clock = clockOf(office.timeZone)
  const from = Date.parse(start)
  let left = hours * msOfHour
  for (let day = localDayOf(clock, from); ; day += 1) {
    if (!isWorkingDay(day)) continue
    const opens = Math.max(from, instantOf(clock, day, office.opensAt))
    const open = instantOf(clock, day, office.closesAt) - opens
    if (open < 0) continue
    if (left <= open) return new Date(opens + left).toISOString()
    left -= open
  }
}

/** The end of the onboarding of a plan that became active at `activatedAt`. */
export function onboardingEnd(activatedAt: Instant): Instant {
  return afterBusinessHours(activatedAt, onboardingHours, officeHours)
}

function isWorkingDay(day: number): boolean {
  const weekday = weekdayOf(day)
  return weekday !== 0 && weekday !== 6 && !isFederalHoliday(day)
}

/** The day on the zone's calendar: days since 1970-01-01. */
function localDayOf(clock: Intl.DateTimeFormat, ms: number): number {
  return Math.floor((ms + offsetAt(clock, ms)) / msOfDay)
}

/** The instant of a local hour. The second look is for a day on which the offset changes. */
function instantOf(clock: Intl.DateTimeFormat, day: number, hour: number): number {
  const local = day * msOfDay + hour * msOfHour
  const guess = local - offsetAt(clock, local)
  return local - offsetAt(clock, guess)
}
