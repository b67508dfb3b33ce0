import { dayOfNumber, numberOfDay, parseDay, type Day } from '#services/finance/calendar'

export interface Holiday {
  readonly day: Day
  readonly name: string
}

/** ISO weekdays. */
const [monday, thursday, saturday, sunday] = [1, 4, 6, 7] as const

/**
 * The legal public holidays of the United States: 5 U.S.C. 6103(a). Inauguration Day is left out:
 * it is kept around Washington, D.C. only.
 */
const rules: readonly (readonly [name: string, dayIn: (year: number) => Day])[] = [
  ['New Year’s Day', (year) => dayOf(year, 1, 1)],
  ['Birthday of Martin Luther King, Jr.', (year) => nth(3, monday, year, 1)],
  ['Washington’s Birthday', (year) => nth(3, monday, year, 2)],
  ['Memorial Day', (year) => last(monday, year, 5)],
  ['Juneteenth', (year) => dayOf(year, 6, 19)],
  ['Independence Day', (year) => dayOf(year, 7, 4)],
  ['Labor Day', (year) => nth(1, monday, year, 9)],
  ['Columbus Day', (year) => nth(2, monday, year, 10)],
  ['Veterans Day', (year) => dayOf(year, 11, 11)],
  ['Thanksgiving Day', (year) => nth(4, thursday, year, 11)],
  ['Christmas Day', (year) => dayOf(year, 12, 25)],
]

/**
 * The federal holidays of some years, in order. A holiday on a weekend is in the list twice: on its
 * day, and on the Friday before or the Monday after, when it is kept (5 U.S.C. 6103(b) for
 * Saturdays, Executive Order 11582 for Sundays). New Year's Day on a Saturday is kept in the year
 * before.
 */
export function federalHolidays(firstYear: number, lastYear: number): readonly Holiday[] {
  const years = Array.from({ length: lastYear - firstYear + 2 }, (_, index) => firstYear + index)
  return years
    .flatMap((year) =>
      rules.flatMap(([name, dayIn]) => {
        const day = dayIn(year)
        const kept = keptOn(day)
        return kept === day
          ? [{ day, name }]
          : [
              { day, name },
              { day: kept, name: `${name} (observed)` },
            ]
      }),
    )
    .filter(({ day }) => yearOf(day) >= firstYear && yearOf(day) <= lastYear)
    .toSorted((a, b) => numberOfDay(a.day) - numberOfDay(b.day))
}

function keptOn(day: Day): Day {
  const number = numberOfDay(day)
  switch (weekdayOf(number)) {
    case saturday:
      return dayOfNumber(number - 1)
    case sunday:
      return dayOfNumber(number + 1)
    default:
      return day
  }
}

/** 1 January 1970 was a Thursday. */
function weekdayOf(number: number): number {
  return ((((number + thursday - 1) % 7) + 7) % 7) + 1
}

const yearOf = (day: Day) => Number(day.slice(0, 4))

function nth(count: number, weekday: number, year: number, month: number): Day {
  const first = numberOfDay(dayOf(year, month, 1))
  const ahead = (weekday - weekdayOf(first) + 7) % 7
  return dayOfNumber(first + ahead + (count - 1) * 7)
}

function last(weekday: number, year: number, month: number): Day {
  const fifth = nth(5, weekday, year, month)
  return Number(fifth.slice(5, 7)) === month ? fifth : nth(4, weekday, year, month)
}

/** @throws Error for a year that has not four digits */
function dayOf(year: number, month: number, day: number): Day {
  const two = (number: number) => String(number).padStart(2, '0')
  const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
  const parsed = parseDay(text)
  if (parsed === null) throw new Error(`${text} is not a day. Choose a year of four digits.`)
  return parsed
}
