import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { federalHolidays } from '#services/receivables/schedule/federal-holidays'

/**
 * The days on which federal offices are closed, as the Office of Personnel Management publishes
 * them (opm.gov, Federal Holidays), by the year of its list. Typed from the lists, not computed.
 */
const published: Readonly<Record<number, readonly string[]>> = {
  2024: [
    '2024-01-01 2024-01-15 2024-02-19 2024-05-27 2024-06-19 2024-07-04 2024-09-02 2024-10-14',
    '2024-11-11 2024-11-28 2024-12-25',
  ],
  2025: [
    '2025-01-01 2025-01-20 2025-02-17 2025-05-26 2025-06-19 2025-07-04 2025-09-01 2025-10-13',
    '2025-11-11 2025-11-27 2025-12-25',
  ],
  2026: [
    '2026-01-01 2026-01-19 2026-02-16 2026-05-25 2026-06-19 2026-07-03 2026-09-07 2026-10-12',
    '2026-11-11 2026-11-26 2026-12-25',
  ],
  2027: [
    '2027-01-01 2027-01-18 2027-02-15 2027-05-31 2027-06-18 2027-07-05 2027-09-06 2027-10-11',
    '2027-11-11 2027-11-25 2027-12-24',
  ],
  2028: [
    '2027-12-31 2028-01-17 2028-02-21 2028-05-29 2028-06-19 2028-07-04 2028-09-04 2028-10-09',
    '2028-11-10 2028-11-23 2028-12-25',
  ],
  2029: [
    '2029-01-01 2029-01-15 2029-02-19 2029-05-28 2029-06-19 2029-07-04 2029-09-03 2029-10-08',
    '2029-11-12 2029-11-22 2029-12-25',
  ],
  2030: [
    '2030-01-01 2030-01-21 2030-02-18 2030-05-27 2030-06-19 2030-07-04 2030-09-02 2030-10-14',
    '2030-11-11 2030-11-28 2030-12-25',
  ],
}

const isWeekend = (day: string) => [0, 6].includes(new Date(day).getUTCDay())

describe('federal holidays', () => {
  it('on days of work are the published ones, 2024 to 2030', () => {
    const computed = federalHolidays(2024, 2030)
      .map(({ day }) => day)
      .filter((day) => !isWeekend(day))
    expect(computed).toEqual(
      Object.values(published).flatMap((lines) => lines.join(' ').split(' ')),
    )
  })

  it('on a weekend are proposed on both days, with their names', () => {
    const of2027 = federalHolidays(2027, 2027).map(({ day, name }) => `${day} ${name}`)
    expect(of2027).toEqual([
      "2027-01-01 New Year's Day",
      '2027-01-18 Birthday of Martin Luther King, Jr.',
      "2027-02-15 Washington's Birthday",
      '2027-05-31 Memorial Day',
      '2027-06-18 Juneteenth (observed)',
      '2027-06-19 Juneteenth',
      '2027-07-04 Independence Day',
      '2027-07-05 Independence Day (observed)',
      '2027-09-06 Labor Day',
      '2027-10-11 Columbus Day',
      '2027-11-11 Veterans Day',
      '2027-11-25 Thanksgiving Day',
      '2027-12-24 Christmas Day (observed)',
      '2027-12-25 Christmas Day',
      "2027-12-31 New Year's Day (observed)",
    ])
  })

  it('of any years are in order, eleven a year on days of work', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1972, max: 2200 }),
        fc.integer({ min: 0, max: 5 }),
        (first, more) => {
          const holidays = federalHolidays(first, first + more)
          const days = holidays.map(({ day }) => day)
          expect(days).toEqual([...new Set(days)].toSorted())
          expect(days.every((day) => Number(day.slice(0, 4)) - first <= more)).toBe(true)
          // Eleven a year. At either end, a New Year's Day can be kept on the other side.
          const kept = days.filter((day) => !isWeekend(day)).length
          expect(Math.abs(kept - 11 * (more + 1))).toBeLessThanOrEqual(1)
        },
      ),
    )
  })
})
