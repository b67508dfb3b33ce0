import {
  addMonths,
  dayOfNumber,
  firstDayOf,
  lastDayOf,
  monthOf,
  numberOfDay,
  type Month,
} from '../calendar.ts'
import { lastServiceDay } from './recognition.ts'
import { partRecognizedBy, type Schedule } from './schedule.ts'

/** The recognition of a schedule that is dated in a month, as of each day of the month. */
export interface RecognizedMonth {
  readonly month: Month
  /** The sum of the entries, by the number of the day less 1. Minor units. */
  readonly amounts: readonly number[]
  /** How many entries there are. An entry of nothing does not exist. */
  readonly entries: readonly number[]
}

/**
 * What `recognitionEntries` has in each accounting month, as of each day. After a month has ended,
 * its entries are those of its last day.
 */
export function recognitionByDay(schedule: Schedule): readonly RecognizedMonth[] {
  const { time, parts } = schedule
  if (parts.length === 0) return []
  const booked = monthOf(time.date)
  const start = numberOfDay(time.date)
  const end = numberOfDay(lastServiceDay(schedule))
  const totalBy = (day: number) => parts.reduce((sum, part) => sum + partRecognizedBy(part, day), 0)

  let month = monthOf(
    dayOfNumber(Math.min(...parts.map(({ from, after }) => Math.max(from, after + 1)))),
  )
  let before = 0
  // The entries of the months before the booking are dated on its day.
  let late = { amount: 0, entries: 0 }
  for (; month < booked; month = addMonths(month, 1)) {
    const total = totalBy(Math.min(numberOfDay(lastDayOf(month)), end))
    late = plus(late, total - before)
    before = total
  }

  const months: RecognizedMonth[] = []
  for (; ; month = addMonths(month, 1)) {
    const first = numberOfDay(firstDayOf(month))
    const last = numberOfDay(lastDayOf(month))
    const carried = month === booked ? late : { amount: 0, entries: 0 }
    if (first > end && carried.entries === 0) return months
    const amounts: number[] = []
    const entries: number[] = []
    let total = before
    for (let day = first; day <= last; day += 1) {
      if (day <= end) total = totalBy(day)
      const asOf = day < start ? { amount: 0, entries: 0 } : plus(carried, total - before)
      amounts.push(asOf.amount)
      entries.push(asOf.entries)
    }
    before = total
    months.push({ month, amounts, entries })
  }
}

function plus(sum: { readonly amount: number; readonly entries: number }, amount: number) {
  return amount === 0 ? sum : { amount: sum.amount + amount, entries: sum.entries + 1 }
}
