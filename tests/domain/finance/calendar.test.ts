import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  addDays,
  addMonths,
  dayOfNumber,
  daysBetween,
  firstDayOf,
  lastDayOf,
  monthOf,
  monthsBetween,
  numberOfDay,
  parseDay,
  parseMonth,
} from '#services/finance/calendar'
import { daysIn, parseTimeZone } from '#services/finance/time-zone'
import { day, month, zone } from '../../support/data/finance-values.ts'

describe('days and months', () => {
  it.each(['2026-02-30', '2025-02-29', '2026-13-01', '2026-1-1', '26-01-01', '2026-01-01T00', ''])(
    'refuse the day %p',
    (text) => expect(parseDay(text)).toBeNull(),
  )

  it.each(['2026-00', '2026-13', '2026-1', '2026', '2026-01-01', ' 2026-01'])(
    'refuse the month %p',
    (text) => expect(parseMonth(text)).toBeNull(),
  )

  it.each([
    ['2024-02', '2024-02-29'],
    ['2025-02', '2025-02-28'],
    ['2100-02', '2100-02-28'],
    ['2026-04', '2026-04-30'],
    ['2026-12', '2026-12-31'],
  ])('end %s on %s', (text, last) => expect(lastDayOf(month(text))).toBe(last))

  it('count over month ends, leap days and the turn of a year', () => {
    expect(addDays(day('2024-02-28'), 1)).toBe('2024-02-29')
    expect(addDays(day('2025-02-28'), 1)).toBe('2025-03-01')
    expect(addDays(day('2026-01-01'), -1)).toBe('2025-12-31')
    expect(daysBetween(day('2024-01-15'), day('2025-01-15'))).toBe(366)
    expect(daysBetween(day('2025-01-15'), day('2024-01-15'))).toBe(-366)
    expect(addMonths(month('2025-11'), 3)).toBe('2026-02')
    expect(addMonths(month('2026-02'), -14)).toBe('2024-12')
    expect(firstDayOf(month('2026-02'))).toBe('2026-02-01')
    expect(monthOf(day('2026-02-28'))).toBe('2026-02')
    expect(numberOfDay(day('1970-01-02'))).toBe(1)
  })

  it('list the months of a range', () => {
    expect(monthsBetween(month('2025-11'), month('2026-02'))).toEqual([
      '2025-11',
      '2025-12',
      '2026-01',
      '2026-02',
    ])
    expect(monthsBetween(month('2026-02'), month('2026-01'))).toEqual([])
  })

  it('end with the year 9999: later years do not sort in the order of time', () => {
    expect(monthsBetween(month('9999-11'), month('9999-12'))).toEqual(['9999-11', '9999-12'])
    expect(lastDayOf(month('9999-12'))).toBe('9999-12-31')
    for (const beyond of [
      () => addMonths(month('9999-12'), 1),
      () => addMonths(month('0000-01'), -1),
      () => addDays(day('9999-12-31'), 1),
      () => dayOfNumber(Number.NaN),
    ])
      expect(beyond).toThrow('not in the years 0000 to 9999')
  })

  it('are inverse: a number of a day and its day', () => {
    const anyNumber = fc.integer({ min: 0, max: 80_000 })
    fc.assert(fc.property(anyNumber, (days) => numberOfDay(dayOfNumber(days)) === days))
  })
})

describe('the day of an instant', () => {
  it.each([
    ['UTC', '2026-03-03T23:59:59.999Z', '2026-03-03'],
    ['UTC', '2026-03-04T00:00:00.000Z', '2026-03-04'],
    ['Asia/Kolkata', '2026-01-31T18:29:59.999Z', '2026-01-31'],
    ['Asia/Kolkata', '2026-01-31T18:30:00.000Z', '2026-02-01'],
    ['America/New_York', '2026-02-01T04:59:59.999Z', '2026-01-31'],
    ['America/New_York', '2026-02-01T05:00:00.000Z', '2026-02-01'],
    // Clocks went forward on 2026-03-08: midnight is at 5:00 before and at 4:00 after.
    ['America/New_York', '2026-03-08T04:59:59.999Z', '2026-03-07'],
    ['America/New_York', '2026-03-08T05:00:00.000Z', '2026-03-08'],
    ['America/New_York', '2026-03-09T03:59:59.999Z', '2026-03-08'],
    ['America/New_York', '2026-03-09T04:00:00.000Z', '2026-03-09'],
    // Samoa skipped 2011-12-30 when it crossed the date line.
    ['Pacific/Apia', '2011-12-30T09:59:59.999Z', '2011-12-29'],
    ['Pacific/Apia', '2011-12-30T10:00:00.000Z', '2011-12-31'],
    // At 0:01 on 2010-11-07 the clocks of Newfoundland went back to the day before.
    ['America/St_Johns', '2010-11-07T02:30:30.000Z', '2010-11-07'],
    ['America/St_Johns', '2010-11-07T02:31:00.000Z', '2010-11-06'],
    // The offset of Liberia was 44 minutes and 30 seconds.
    ['Africa/Monrovia', '1971-06-01T00:44:29.999Z', '1971-05-31'],
    ['Africa/Monrovia', '1971-06-01T00:44:30.000Z', '1971-06-01'],
    ['Pacific/Kiritimati', '2026-12-31T10:00:00.000Z', '2027-01-01'],
  ])('in %s, %s is on %s', (name, at, expected) => {
    expect(daysIn(zone(name))(at)).toBe(expected)
  })

  it('is the day that Intl formats, in any zone at any time', () => {
    const zones = ['America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Casablanca']
    const known = new Map(zones.map((name) => [name, daysIn(zone(name))]))
    const ms = { min: Date.UTC(2005, 0), max: Date.UTC(2035, 0) }
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer(ms), (name, at) => {
        const formatted = new Intl.DateTimeFormat('sv-SE', { timeZone: name }).format(at)
        expect(known.get(name)?.(new Date(at).toISOString())).toBe(formatted)
      }),
    )
  })

  it.each(['Mars/Olympus', '+02:00', '', '2'])('has no time zone %p', (name) =>
    expect(parseTimeZone(name)).toBeNull(),
  )
})
