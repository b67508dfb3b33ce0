import { describe, expect, it } from '@jest/globals'
import { addMonths, periodEnd } from '#services/sandbox/billing/periods'
import { addDuration } from '#services/sandbox/control/durations'
import { prices } from '#services/sandbox/stripe/catalogue'

const seconds = (instant: string) => Date.parse(instant) / 1000
const instant = (at: number) => new Date(at * 1000).toISOString()

/** The first `count` period ends after this anchor. */
function periodEnds(anchor: string, priceId: string, count: number): string[] {
  const price = prices.find(({ id }) => id === priceId)!
  const ends: number[] = []
  for (let index = 0; index < count; index += 1)
    ends.push(periodEnd(seconds(anchor), ends.at(-1) ?? seconds(anchor), price))
  return ends.map(instant)
}

describe('a billing period', () => {
  it('ends on the day of the anchor, or on the last day of a shorter month', () => {
    expect(periodEnds('2026-01-31T10:30:00Z', 'price_sandbox_monthly', 4)).toEqual([
      '2026-02-28T10:30:00.000Z',
      '2026-03-31T10:30:00.000Z',
      '2026-04-30T10:30:00.000Z',
      '2026-05-31T10:30:00.000Z',
    ])
  })

  it('continues into the next year', () => {
    expect(periodEnds('2026-11-15T00:00:00Z', 'price_sandbox_six_month', 2)).toEqual([
      '2027-05-15T00:00:00.000Z',
      '2027-11-15T00:00:00.000Z',
    ])
  })

  it('of a year that began on a leap day ends on Feb 28, and on Feb 29 in the next leap year', () => {
    expect(
      periodEnds('2028-02-29T12:00:00Z', 'price_sandbox_annual', 4).map((end) => end.slice(0, 10)),
    ).toEqual(['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'])
  })
})

describe('the calendar', () => {
  it('keeps the time of day when months are added', () => {
    expect(instant(addMonths(seconds('2026-08-31T23:59:59Z'), 1))).toBe('2026-09-30T23:59:59.000Z')
  })

  it.each([
    ['P1M', '2026-02-28T08:00:00.000Z'],
    ['P1Y', '2027-01-31T08:00:00.000Z'],
    ['P2W', '2026-02-14T08:00:00.000Z'],
    ['P1DT12H30M5S', '2026-02-01T20:30:05.000Z'],
    ['PT90M', '2026-01-31T09:30:00.000Z'],
  ])('reads the duration %s', (duration, expected) => {
    expect(new Date(addDuration(Date.parse('2026-01-31T08:00:00Z'), duration)!).toISOString()).toBe(
      expected,
    )
  })

  it.each(['', 'P', 'PT', '1M', 'P1H', 'P-1M', 'P1.5M', 'P1M2Y'])(
    'refuses "%s" as a duration',
    (duration) => {
      expect(addDuration(0, duration)).toBeNull()
    },
  )
})
