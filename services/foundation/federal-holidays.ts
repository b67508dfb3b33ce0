const msOfDay = 86_400_000
const [monday, thursday, friday] = [1, 4, 5]

/** Holidays with a date: month from 1, day. */
const dated = [
  { month: 1, date: 1, name: "New Year's Day" },
  { month: 6, date: 19, name: 'Juneteenth' },
  { month: 7, date: 4, name: 'Independence Day' },
  { month: 11, date: 11, name: 'Veterans Day' },
  { month: 12, date: 25, name: 'Christmas Day' },
] as const

/** Holidays on the n-th weekday of a month. `last` is the last one. */
const movable = [
  { month: 1, weekday: monday, nth: 3, name: 'Birthday of Martin Luther King, Jr.' },
  { month: 2, weekday: monday, nth: 3, name: "Washington's Birthday" },
  { month: 5, weekday: monday, nth: 'last', name: 'Memorial Day' },
  { month: 9, weekday: monday, nth: 1, name: 'Labor Day' },
  { month: 10, weekday: monday, nth: 2, name: 'Columbus Day' },
  { month: 11, weekday: thursday, nth: 4, name: 'Thanksgiving Day' },
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
  return federalHolidayOn(day) !== null
}

/**
 * The name of the holiday on a day: on its date, and on the weekday on which it is observed. Null:
 * it is none. Inauguration Day is left out: it is kept around Washington, D.C. only.
 */
export function federalHolidayOn(day: number): string | null {
  const own = datedOn(day) ?? movableOn(day)
  if (own !== null) return own
  const weekday = weekdayOf(day)
  const observed =
    weekday === friday ? datedOn(day + 1) : weekday === monday ? datedOn(day - 1) : null
  return observed === null ? null : `${observed} (observed)`
}

function datedOn(day: number): string | null {
  const on = new Date(day * msOfDay)
  const holiday = dated.find(
    ({ month, date }) => on.getUTCMonth() + 1 === month && on.getUTCDate() === date,
  )
  return holiday?.name ?? null
}

function movableOn(day: number): string | null {
  const date = new Date(day * msOfDay)
  const nth = Math.ceil(date.getUTCDate() / 7)
  const isLast = new Date((day + 7) * msOfDay).getUTCMonth() !== date.getUTCMonth()
  const found = movable.find(
    (holiday) =>
      holiday.month === date.getUTCMonth() + 1 &&
      holiday.weekday === date.getUTCDay() &&
      (holiday.nth === 'last' ? isLast : holiday.nth === nth),
  )
  return found?.name ?? null
}
