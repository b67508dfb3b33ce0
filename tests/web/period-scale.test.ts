import { describe, expect, it } from '@jest/globals'
import { periodScale } from '../../web/features/purchases/period-scale.ts'

const midnight = (day: string) => `${day}T00:00:00.000Z`

describe('the scale of a billing period', () => {
  it('has a tick per day, a long tick per week, and passed ticks up to today', () => {
    const { days, today, ticks, words } = periodScale(
      '2026-03-03T09:12:00.000Z',
      '2026-04-03T09:12:00.000Z',
      '2026-03-21T15:00:00.000Z',
    )
    expect(days).toBe(31)
    expect(today).toBe(18)
    expect(ticks).toHaveLength(32)
    expect(ticks.filter(({ long }) => long).map(({ day }) => day)).toEqual([0, 7, 14, 21, 28, 31])
    expect(ticks.filter(({ passed }) => passed)).toHaveLength(19)
    expect(words).toBe('Day 18 of a 31 day period, Mar 3, 2026 to Apr 3, 2026. 13 days left.')
  })

  it('counts calendar days', () => {
    expect(
      periodScale(
        '2026-03-03T23:59:00.000Z',
        '2026-04-03T23:59:00.000Z',
        '2026-03-04T00:01:00.000Z',
      ).today,
    ).toBe(1)
  })

  it('keeps the needle on the scale after the period', () => {
    const { today, days, words } = periodScale(
      midnight('2026-01-01'),
      midnight('2026-02-01'),
      midnight('2026-03-01'),
    )
    expect(today).toBe(days)
    expect(words).toContain('0 days left')
  })

  it('has a tick per week and a long tick per month for a period of a year', () => {
    const { ticks } = periodScale(
      midnight('2026-01-01'),
      midnight('2027-01-01'),
      midnight('2026-03-01'),
    )
    expect(ticks.filter(({ long }) => long).map(({ day }) => day)).toEqual([
      0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365,
    ])
    expect(ticks.length).toBeLessThan(80)
  })
})
