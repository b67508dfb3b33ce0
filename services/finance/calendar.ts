/*
 * Days and months as the reports and the ledger write them. Both are texts that sort in the order
 * of time. time-zone.ts says which day an instant is on.
 */

declare const checked: unique symbol

/** A calendar day, `yyyy-mm-dd`. Only this file's functions make one. */
export type Day = string & { readonly [checked]: 'Day' }

/** A calendar month, `yyyy-mm`. Only this file's functions make one. */
export type Month = string & { readonly [checked]: 'Month' }

const msOfDay = 86_400_000

/** Null for a text that is no day of the calendar, such as `2026-02-30`. */
export function parseDay(text: string): Day | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && dayOfNumber(ms / msOfDay) === text ? (text as Day) : null
}

/** Null for a text that is no month, such as `2026-13`. */
export function parseMonth(text: string): Month | null {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? (text as Month) : null
}

/** Texts of years with more digits do not sort in the order of time. */
const [firstNumber, lastNumber] = [
  Date.parse('0000-01-01') / msOfDay,
  Date.parse('9999-12-31') / msOfDay,
]

function outsideCalendar(): Error {
  return new Error(
    'A day or month is not in the years 0000 to 9999, which the reports have. Correct the period at the payment provider.',
  )
}

/** The number of the day: days since 1970-01-01. */
export function numberOfDay(day: Day): number {
  return knownNumbers.get(day) ?? Date.parse(day) / msOfDay
}

const knownDays = new Map<number, Day>()
const knownNumbers = new Map<Day, number>()

/** The day of a number of days since 1970-01-01. Equal days are one string in memory. */
export function dayOfNumber(days: number): Day {
  const known = knownDays.get(days)
  if (known !== undefined) return known
  if (!(days >= firstNumber && days <= lastNumber)) throw outsideCalendar()
  const day = new Date(days * msOfDay).toISOString().slice(0, 10) as Day
  knownDays.set(days, day)
  knownNumbers.set(day, days)
  return day
}

export function addDays(day: Day, days: number): Day {
  return dayOfNumber(numberOfDay(day) + days)
}

/** The days from `from` to `to`. Negative if `to` is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return numberOfDay(to) - numberOfDay(from)
}

export function monthOf(day: Day): Month {
  return day.slice(0, 7) as Month
}

/** @throws Error if the result is not in the years 0000 to 9999 */
export function addMonths(month: Month, months: number): Month {
  const count = numberOfMonth(month) + months
  if (!(count >= 0 && count < 120_000)) throw outsideCalendar()
  const year = String(Math.floor(count / 12)).padStart(4, '0')
  return `${year}-${String((count % 12) + 1).padStart(2, '0')}` as Month
}

/** Months since 0000-01. */
function numberOfMonth(month: Month): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1
}

export function firstDayOf(month: Month): Day {
  return `${month}-01` as Day
}

function daysIn(month: Month): number {
  const next = new Date(Date.parse(firstDayOf(month)))
  next.setUTCMonth(next.getUTCMonth() + 1)
  return next.getTime() / msOfDay - numberOfDay(firstDayOf(month))
}

export function lastDayOf(month: Month): Day {
  return addDays(firstDayOf(month), daysIn(month) - 1)
}

/** The months from `from` to `to`, both included. None if `to` is earlier. */
export function monthsBetween(from: Month, to: Month): readonly Month[] {
  const count = numberOfMonth(to) - numberOfMonth(from) + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => addMonths(from, index))
}
