import type { Instant } from '#contracts/instant'
import { accountingDate } from '../accounting-date.ts'
import type { Day, Month } from '../calendar.ts'
import type { DayOf } from '../time-zone.ts'

/** When an event is booked. */
export interface BookingTime {
  /** The day of the event. */
  readonly occurredOn: Day
  /** The accounting date: `occurredOn`, or the first day of the first open month. */
  readonly date: Day
  /** The last closed month when the event was booked. Null if no month was closed. */
  readonly closedThrough: Month | null
}

/** What the books know of time. */
export interface BookingRules {
  readonly dayOf: DayOf
  readonly closedThrough: Month | null
}

/** When an event of `occurredAt` is booked. */
export function bookingTimeOf(
  occurredAt: Instant,
  { dayOf, closedThrough }: BookingRules,
): BookingTime {
  const occurredOn = dayOf(occurredAt)
  const { date } = accountingDate(occurredOn, closedThrough)
  return { occurredOn, date, closedThrough }
}

/** The closed month that a booking of `month` adjusts; null if the month was open. */
export function adjustedMonth(month: Month, { closedThrough }: BookingTime): Month | null {
  return closedThrough !== null && month <= closedThrough ? month : null
}
