const msOfDay = 86_400_000
const [monday, thursday, friday] = [1, 4, 5]

/** Holidays with a date: month from 1, day. */
const dated = [
  [1, 1],
  [6, 19],
  [7, 4],
  [11, 11],
  [12, 25],
] as const

/** Holidays on the n-th weekday of a month. `last` is the last one. */
const movable = [
  { month: 1, weekday: monday, nth: 3 },
  { month: 2, weekday: monday, nth: 3 },
  { month: 5, weekday: monday, nth: 'last' },
  { month: 9, weekday: monday, nth: 1 },
  { month: 10, weekday: monday, nth: 2 },
  { month: 11, weekday: thursday, nth: 4 },
] as const

/** 0 is Sunday. `day` is the number of a calendar day: days since 1970-01-01. */
export function weekdayOf(day: number): number {
  return new Date(day * msOfDay).getUTCDay()
}

/**
 * Whether offices of the US government are closed on a day from Monday to Friday. Source: 5 U.S.C.
 * 6103. A date on a Saturday is observed on the Friday before it, and a date on a Sunday on the
 * Monday after it.
 */
export function isFederalHoliday(day: number): boolean {
  const weekday = weekdayOf(day)
  return (
    isDated(day) ||
    isMovable(day) ||
    (weekday === friday && isDated(day + 1)) ||
    (weekday === monday && isDated(day - 1))
  )
}

function isDated(day: number): boolean {
  const date = new Date(day * msOfDay)
  return dated.some(
    ([month, dayOfMonth]) => date.getUTCMonth() + 1 === month && date.getUTCDate() === dayOfMonth,
  )
}

function isMovable(day: number): boolean {
  const date = new Date(day * msOfDay)
  const nth = Math.ceil(date.getUTCDate() / 7)
  const isLast = new Date((day + 7) * msOfDay).getUTCMonth() !== date.getUTCMonth()
  return movable.some(
    (holiday) =>
      holiday.month === date.getUTCMonth() + 1 &&
      holiday.weekday === date.getUTCDay() &&
      (holiday.nth === 'last' ? isLast : holiday.nth === nth),
  )
}
