import {
  addMonths,
  dayOfNumber,
  firstDayOf,
  monthOf,
  numberOfDay,
  type Day,
  type Month,
} from '../calendar.ts'
import type { BookingTime } from './booking-time.ts'
import type { Booking } from './books.ts'
import { recognizedOf } from './recognized.ts'
import type { RecognizedMonth } from './recognition-by-day.ts'

/** By how much the number of the events behind a figure changes on a day. */
export interface CountChange {
  readonly day: Day
  readonly change: number
}

/**
 * On which days an event begins to be behind the figures that recognition moves, and on which it
 * ceases to be. An event is behind a figure while what it adds is not 0.
 */
export interface RecognitionCounts {
  /** Deferred revenue at the end of a day: the changes to the day are the count. */
  readonly deferred: readonly CountChange[]
  /** The balance of the account `revenue` at the end of a day. */
  readonly revenue: readonly CountChange[]
  /**
   * What is recognized from the month `from` to a day of this month or later: the changes of this
   * and all earlier `from` to the day are the count. Null is before all months.
   */
  readonly recognized: readonly (CountChange & { readonly from: Month | null })[]
}

/** `months` is the `recognitionByDay` of the booking's schedule; none without one. */
export function recognitionCounts(
  { entries, time }: Booking & { readonly time: BookingTime },
  months: readonly RecognizedMonth[],
): RecognitionCounts {
  const start = numberOfDay(time.date)
  let recognized = 0
  let deferred = 0
  let revenue = 0
  for (const entry of entries) {
    const sums = recognizedOf(entry)
    recognized += sums.recognized
    deferred += sums.deferred
    for (const { account, amount } of entry.lines) if (account === 'revenue') revenue -= amount
  }
  if (months.length === 0 && recognized === 0 && deferred === 0) return none
  const totals = totalsFrom(start, months)
  const days = { start, end: start + totals.length - 1 }
  const totalBy = (day: number) => totals[Math.min(day, days.end) - start] ?? 0
  return {
    deferred: changesOf(days, (day) => isMoved(deferred - totalBy(day))),
    revenue: changesOf(days, (day) => isMoved(revenue + totalBy(day))),
    recognized: changesByMonth(days, (day) => (day < start ? 0 : recognized + totalBy(day))),
  }
}

const none: RecognitionCounts = { deferred: [], revenue: [], recognized: [] }

const isMoved = (amount: number): 0 | 1 => (amount === 0 ? 0 : 1)

interface Days {
  readonly start: number
  readonly end: number
}

/** The sum of what is recognized by each day from `start` on, to the last day with a change. */
function totalsFrom(start: number, months: readonly RecognizedMonth[]): readonly number[] {
  const totals: number[] = [0]
  let before = 0
  for (const { month, amounts } of months) {
    const first = numberOfDay(firstDayOf(month))
    for (let day = start + totals.length; day < first; day += 1) totals.push(before)
    for (const [index, amount] of amounts.entries())
      if (first + index >= start) totals[first + index - start] = before + amount
    before += amounts.at(-1) ?? 0
  }
  const last = totals.findLastIndex((total, index) => total !== totals[index - 1])
  return totals.slice(0, Math.max(1, last + 1))
}

/** The changes of a count from day to day. Before `start` it is 0. */
function changesOf({ start, end }: Days, countOn: (day: number) => number): readonly CountChange[] {
  const changes: CountChange[] = []
  let before = 0
  for (let day = start; day <= end; day += 1) {
    const count = countOn(day)
    if (count !== before) changes.push({ day: dayOfNumber(day), change: count - before })
    before = count
  }
  return changes
}

/**
 * Per month, the changes against the months before it. So an event that adds to each of its months
 * has two changes: it begins to count, and from the month after its last one on it does not.
 */
function changesByMonth(
  { start, end }: Days,
  totalBy: (day: number) => number,
): RecognitionCounts['recognized'] {
  const changes = changesOf({ start, end }, (day) => isMoved(totalBy(day))).map((each) => ({
    ...each,
    from: null as Month | null,
  }))
  const after = addMonths(monthOf(dayOfNumber(end)), 1)
  let before = 0
  for (
    let from = addMonths(monthOf(dayOfNumber(start)), 1);
    from <= after;
    from = addMonths(from, 1)
  ) {
    const first = numberOfDay(firstDayOf(from))
    const opening = totalBy(first - 1)
    const earlier = before
    before = opening
    if (opening === earlier) continue
    const difference = (day: number) =>
      isMoved(totalBy(day) - opening) - isMoved(totalBy(day) - earlier)
    for (const each of changesOf({ start: first, end: Math.max(first, end) }, difference))
      changes.push({ ...each, from })
  }
  return changes
}
