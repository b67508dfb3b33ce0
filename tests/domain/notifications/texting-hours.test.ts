import { describe, expect, it } from '@jest/globals'
import { usStates } from '#contracts/profile-options'
import { nextTextingTime } from '#services/notifications/texting/texting-hours'

const at = (state: string, now: string) => nextTextingTime(state, new Date(now)).toISOString()

describe('the hours for texts', () => {
  it('are from 8:00 to 20:00 of the state', () => {
    // Chicago is 5 hours behind UTC in April.
    expect(at('Minnesota', '2026-04-03T12:59:59.000Z')).toBe('2026-04-03T13:00:00.000Z')
    expect(at('Minnesota', '2026-04-03T13:00:00.000Z')).toBe('2026-04-03T13:00:00.000Z')
    expect(at('Minnesota', '2026-04-04T00:59:59.000Z')).toBe('2026-04-04T00:59:59.000Z')
    expect(at('Minnesota', '2026-04-04T01:00:00.000Z')).toBe('2026-04-04T13:00:00.000Z')
  })

  it('suit both zones of a state that has two', () => {
    // New York is an hour ahead of Chicago.
    expect(at('Florida', '2026-04-03T12:00:00.000Z')).toBe('2026-04-03T13:00:00.000Z')
    expect(at('Florida', '2026-04-04T00:00:00.000Z')).toBe('2026-04-04T13:00:00.000Z')
  })

  it('follow daylight saving time, which begins on March 8, 2026', () => {
    expect(at('New York', '2026-03-07T12:00:00.000Z')).toBe('2026-03-07T13:00:00.000Z')
    expect(at('New York', '2026-03-08T11:00:00.000Z')).toBe('2026-03-08T12:00:00.000Z')
  })

  it('follow daylight saving time, which ends on November 1, 2026', () => {
    // 8:00 is 12:00 UTC before and 13:00 UTC afterwards.
    expect(at('New York', '2026-10-31T11:59:00.000Z')).toBe('2026-10-31T12:00:00.000Z')
    expect(at('New York', '2026-11-01T12:00:00.000Z')).toBe('2026-11-01T13:00:00.000Z')
    // Phoenix has no daylight saving time, the Navajo Nation has.
    expect(at('Arizona', '2026-07-01T14:00:00.000Z')).toBe('2026-07-01T15:00:00.000Z')
    expect(at('Arizona', '2026-07-02T02:00:00.000Z')).toBe('2026-07-02T15:00:00.000Z')
  })

  it('suit both coasts without a state', () => {
    expect(at('', '2026-04-03T23:59:00.000Z')).toBe('2026-04-03T23:59:00.000Z')
    expect(at('', '2026-04-04T00:00:00.000Z')).toBe('2026-04-04T15:00:00.000Z')
  })

  it('suit both coasts for a text that is no state', () => {
    expect(at('Bavaria', '2026-04-03T13:00:00.000Z')).toBe('2026-04-03T15:00:00.000Z')
  })

  it.each(usStates)('come within a day in %s', (state) => {
    const now = new Date('2026-04-03T09:12:00.000Z')
    const wait = nextTextingTime(state, now).getTime() - now.getTime()
    expect(wait).toBeLessThanOrEqual(86_400_000)
  })
})
