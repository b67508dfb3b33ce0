import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { officeHours, type OfficeHours } from '#contracts/brand/onboarding'
import { businessHoursText, onboardingEndText } from '#contracts/onboarding-text'
import { afterBusinessHours } from '#services/foundation/business-hours'
import { isFederalHoliday, weekdayOf } from '#services/foundation/federal-holidays'

const msOfHour = 3_600_000
const msOfDay = 24 * msOfHour

const instants = fc
  .date({ min: new Date('2021-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())

const offices = fc
  .record({
    timeZone: fc.constantFrom(
      'America/New_York',
      'America/Los_Angeles',
      'Asia/Kolkata',
      'Pacific/Auckland',
      'UTC',
    ),
    opensAt: fc.integer({ min: 0, max: 12 }),
    closesAt: fc.integer({ min: 13, max: 24 }),
  })
  .map((office): OfficeHours => ({ ...office, timeZoneName: 'local time' }))

const hourCounts = fc.integer({ min: 0, max: 400 }).map((quarters) => quarters / 4)

const dayOf = (day: string) => Date.parse(day) / msOfDay

describe('the holidays of the US government', () => {
  it.each([
    ['2026', '01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25'],
    // New Year's Day of 2022 is a Saturday: December 31, 2021 is observed.
    ['2021', '01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24 12-31'],
    ['2023', '01-02 01-16 02-20 05-29 06-19 07-04 09-04 10-09 11-10 11-23 12-25'],
  ])('are those that the Office of Personnel Management lists for %s', (year, expected) => {
    const first = dayOf(`${year}-01-01`)
    const found = Array.from({ length: 365 }, (_, index) => first + index)
      .filter((day) => isFederalHoliday(day) && ![0, 6].includes(weekdayOf(day)))
      .map((day) => new Date(day * msOfDay).toISOString().slice(5, 10))
    expect(found.join(' ')).toBe(expected)
  })

  it('are 10 to 12 working days of each year', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2021, max: 2200 }), (year) => {
        let count = 0
        for (let day = dayOf(`${year}-01-01`); day < dayOf(`${year + 1}-01-01`); day += 1)
          if (isFederalHoliday(day) && ![0, 6].includes(weekdayOf(day))) count += 1
        expect(count).toBeGreaterThanOrEqual(10)
        expect(count).toBeLessThanOrEqual(12)
      }),
    )
  })
})

describe('48 business hours', () => {
  it.each([
    ['within a day: six working days later', '2026-03-03T15:30:00Z', '2026-03-11T14:30:00Z'],
    ['in the evening: from the next morning', '2026-03-03T23:00:00Z', '2026-03-11T21:00:00Z'],
    ['at the weekend: from Monday', '2026-03-07T12:00:00Z', '2026-03-16T21:00:00Z'],
    ['before Thanksgiving: without the holiday', '2026-11-25T19:30:00Z', '2026-12-04T19:30:00Z'],
    ['over New Year', '2026-12-30T14:00:00Z', '2027-01-07T22:00:00Z'],
  ])('that begin %s', (_when, start, end) => {
    expect(afterBusinessHours(start, 48, officeHours)).toBe(new Date(end).toISOString())
  })

  it('refuse a negative number', () => {
    expect(() => afterBusinessHours('2026-03-03T15:30:00Z', -1, officeHours)).toThrow(RangeError)
  })
})

describe('business hours of any office', () => {
  it('add up: first some hours, then others', () => {
    fc.assert(
      fc.property(instants, hourCounts, hourCounts, offices, (start, first, then, office) => {
        fc.pre(then > 0)
        expect(afterBusinessHours(afterBusinessHours(start, first, office), then, office)).toBe(
          afterBusinessHours(start, first + then, office),
        )
      }),
    )
  })

  it('never end earlier if they begin later', () => {
    fc.assert(
      fc.property(instants, instants, hourCounts, offices, (one, other, hours, office) => {
        const [first = one, second = other] = [one, other].sort()
        expect(
          afterBusinessHours(first, hours, office) <= afterBusinessHours(second, hours, office),
        ).toBe(true)
      }),
    )
  })

  it('take at least their own time, and end while the office is open', () => {
    fc.assert(
      fc.property(instants, hourCounts, offices, (start, hours, office) => {
        const end = afterBusinessHours(start, hours, office)
        expect(Date.parse(end) - Date.parse(start)).toBeGreaterThanOrEqual(hours * msOfHour)
        const parts = new Intl.DateTimeFormat('en-US', {
          timeZone: office.timeZone,
          weekday: 'short',
          hour: '2-digit',
          minute: '2-digit',
          hourCycle: 'h23',
        }).formatToParts(new Date(Date.parse(end) - 1))
        const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
        // A millisecond before the end. 0 hours can end at the moment at which the office opens.
        fc.pre(hours > 0)
        expect(['Sat', 'Sun']).not.toContain(part('weekday'))
        expect(Number(part('hour'))).toBeGreaterThanOrEqual(office.opensAt)
        expect(Number(part('hour'))).toBeLessThan(office.closesAt)
      }),
    )
  })
})

describe('the end of the onboarding in words', () => {
  it('names day, time and zone of the office', () => {
    expect(onboardingEndText('2026-12-03T19:30:00.000Z')).toBe(
      'Thursday, December 3, 2026, 2:30 PM Eastern time',
    )
  })

  it('states the hours that are counted', () => {
    expect(businessHoursText).toBe(
      'Monday to Friday, 9 AM to 5 PM Eastern time, except US federal holidays',
    )
  })
})
