import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { feeBackOf, feeOf } from '#contracts/receivables/fee'

describe('the fee on a payment', () => {
  it.each([
    [12_50, 500, 63],
    [12_50, 300, 38],
    [12_49, 500, 62],
    [9, 500, 0],
    [10, 500, 1],
    [100_000_00, 500, 5_000_00],
    [0, 500, 0],
    [12_50, 0, 0],
  ])('of %i at %i hundredths of a percent is %i', (amount, basisPoints, fee) => {
    expect(feeOf(amount, basisPoints)).toBe(fee)
  })

  it('is exact for the largest amounts', () => {
    expect(feeOf(Number.MAX_SAFE_INTEGER, 10_000)).toBe(Number.MAX_SAFE_INTEGER)
  })
})

const amount = fc.oneof(
  fc.integer({ min: 1, max: 99 }),
  fc.integer({ min: 1, max: 100_000_000 }),
  fc.constant(Number.MAX_SAFE_INTEGER),
)

/** An amount in parts that make it up. */
const inParts = fc
  .tuple(amount, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }))
  .map(([whole, cuts]) => {
    const places = [...cuts.map((cut) => Math.floor(cut * whole)), whole].toSorted((a, b) => a - b)
    return { whole, refunded: places }
  })

describe('the fee that went back after refunds', () => {
  it('is the whole fee after the whole payment, whatever the parts were', () => {
    fc.assert(
      fc.property(inParts, fc.nat({ max: 10_000 }), ({ whole, refunded }, basisPoints) => {
        const fee = feeOf(whole, basisPoints)
        let returned = 0
        for (const sum of refunded) {
          const more = feeBackOf(fee, whole, sum) - returned
          expect(more).toBeGreaterThanOrEqual(0)
          returned += more
          expect(returned).toBeLessThanOrEqual(fee)
        }
        expect(returned).toBe(fee)
      }),
    )
  })

  it('is within half a minor unit of the share that was refunded', () => {
    fc.assert(
      fc.property(inParts, fc.nat({ max: 10_000 }), ({ whole, refunded }, basisPoints) => {
        const fee = feeOf(whole, basisPoints)
        for (const sum of refunded) {
          const twice = 2n * (BigInt(feeBackOf(fee, whole, sum)) * BigInt(whole))
          const exact = 2n * BigInt(fee) * BigInt(sum)
          const off = twice > exact ? twice - exact : exact - twice
          expect(off <= BigInt(whole)).toBe(true)
        }
      }),
    )
  })

  it('is no more than the fee if more was refunded than was paid', () => {
    expect(feeBackOf(63, 12_50, 20_00)).toBe(63)
  })
})
