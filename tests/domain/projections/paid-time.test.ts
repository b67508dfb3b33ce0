import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { creationBounds, hasPaidTime, lengthFacet } from '#projections/purchases/lists/paid-time'

const dayMs = 86_400_000
const now = new Date('2026-03-20T12:00:00.000Z')
const days = (count: number) => new Date(now.getTime() + count * dayMs)

/** Whether a payment of that day meets the conditions, which compare `created_at` to an instant. */
function meets(createdAt: Date, bounds: readonly string[]): boolean {
  return bounds.every((bound) => {
    const [, sign, instant = ''] =
      /^created_at (>|<=) timestamptz '(.*)'$/.exec(bound) ?? ([] as string[])
    expect(sign).toBeDefined()
    const border = Date.parse(instant)
    return sign === '>' ? createdAt.getTime() > border : createdAt.getTime() <= border
  })
}

describe('the length of the paid time', () => {
  it('has a range for each length of a month', () => {
    const facets = [28, 29, 30, 31].map((length) => lengthFacet(now, days(length)))
    expect(facets).toEqual(['27-28.5', '28.5-29.5', '29.5-30.5', '30.5-32'])
    // A payment that succeeded some hours after its period began.
    expect(lengthFacet(days(0.3), days(31))).toBe('30.5-32')
  })

  it('is absent without an expiration, and of any sign', () => {
    expect(hasPaidTime(lengthFacet(now, null))).toBe(false)
    expect(lengthFacet(now, days(-1))).toBe('-0')
    expect(lengthFacet(now, days(400))).toBe('367-')
  })

  it('bounds the creation date of every active and every expired payment', () => {
    const instants = fc.integer({ min: -800 * 24, max: 800 * 24 }).map((hours) => days(hours / 24))
    fc.assert(
      fc.property(instants, instants, (createdAt, expiresAt) => {
        const status = expiresAt > now ? 'active' : 'expired'
        const bounds = creationBounds(lengthFacet(createdAt, expiresAt), status, now)
        expect(meets(createdAt, bounds)).toBe(true)
      }),
    )
  })

  it('excludes the creation date of a payment that is far from its expiration', () => {
    const month = lengthFacet(now, days(31))
    expect(meets(days(-32), creationBounds(month, 'active', now))).toBe(false)
    expect(meets(days(-31), creationBounds(month, 'active', now))).toBe(true)
    expect(meets(days(-30), creationBounds(month, 'expired', now))).toBe(false)
    expect(meets(days(-31), creationBounds(month, 'expired', now))).toBe(true)
  })
})
