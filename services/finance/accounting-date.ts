import type { Instant } from '#contracts/instant'
import { addMonths, firstDayOf, monthOf, type Day, type Month } from './calendar.ts'
import { daysIn, type DayOf, type TimeZone } from './time-zone.ts'

/**
 * The day on which an event counts. `adjusts` is the closed month that contains the day of the
 * event; null if the event counts on its own day.
 */
export interface AccountingDate {
  readonly date: Day
  readonly adjusts: Month | null
}

export type DateOf = (at: Instant) => AccountingDate

/**
 * A closed month never changes: an event of a closed month counts on the first day of the first
 * open month. `closedThrough` is the last closed month when the log records the event; null if no
 * month is closed. Months close in order.
 */
export function accountingDate(day: Day, closedThrough: Month | null): AccountingDate {
  const month = monthOf(day)
  return closedThrough === null || month > closedThrough
    ? { date: day, adjusts: null }
    : { date: firstDayOf(addMonths(closedThrough, 1)), adjusts: month }
}

/** The accounting dates while a log is read in the order of positions. */
export interface AccountingDates {
  readonly dayOf: DayOf
  readonly dateOf: DateOf
  /** The last closed month; null if no month is closed. */
  closedThrough(): Month | null
  /** From now on, no event counts in the month or in the months before it. */
  close(month: Month): void
}

/**
 * Months end in `timeZone`. All folds of one reader share the dates. `dayOf` is that of the time
 * zone, for a reader that keeps its days.
 */
export function createAccountingDates(
  timeZone: TimeZone,
  dayOf: DayOf = daysIn(timeZone),
): AccountingDates {
  let closedThrough: Month | null = null
  return {
    dayOf,
    dateOf: (at) => accountingDate(dayOf(at), closedThrough),
    closedThrough: () => closedThrough,
    close(month) {
      if (closedThrough === null || month > closedThrough) closedThrough = month
    },
  }
}
