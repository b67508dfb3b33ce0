import {
  addDays,
  firstDayOf,
  lastDayOf,
  numberOfDay,
  parseMonth,
  type Day,
} from '#services/finance/calendar'
import { federalHolidayOn } from '#services/foundation/federal-holidays'

interface Holiday {
  readonly day: Day
  readonly name: string
}

/**
 * The federal holidays of some years, in order. One on a weekend is in the list twice: on its date,
 * and on the day on which it is observed. New Year's Day on a Saturday is observed in the year
 * before. @throws Error for a year that has not four digits
 */
export function federalHolidays(firstYear: number, lastYear: number): readonly Holiday[] {
  const [first, last] = [parseMonth(`${firstYear}-01`), parseMonth(`${lastYear}-12`)]
  if (first === null || last === null) throw new Error('A year has four digits.')
  const holidays: Holiday[] = []
  for (let day = firstDayOf(first); day <= lastDayOf(last); day = addDays(day, 1)) {
    const name = federalHolidayOn(numberOfDay(day))
    if (name !== null) holidays.push({ day, name })
  }
  return holidays
}
