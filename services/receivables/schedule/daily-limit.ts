import type { Instant } from '#contracts/instant'
import { daysBetween, type Day } from '#services/finance/calendar'
import type { TimeZone } from '#services/finance/time-zone'
import { localTime } from '../reminders/local-time.ts'
import type { SendingLimits } from './schedule.ts'

/** Days from the first time that reminders were turned on, with the limit of the first week. */
const firstDays = 7

/**
 * The most clients on a day of the merchant. `firstOn`: when reminders were turned on for the first
 * time; null: never.
 */
export function dailyLimit(
  limits: SendingLimits,
  firstOn: Instant | null,
  timeZone: TimeZone,
): (day: Day) => number {
  const firstDay = firstOn === null ? null : localTime(timeZone).dayOf(firstOn)
  return (day) =>
    firstDay === null || daysBetween(firstDay, day) < firstDays ? limits.firstWeek : limits.later
}
