import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { allocate, proportionOf } from '#services/finance/ledger/proportion'

describe('a proportion of an amount', () => {
  it.each([
    [100, 1, 3, 33],
    [100, 2, 3, 67],
    [1, 1, 2, 1],
    [-1, 1, 2, -1],
    [-100, 1, 3, -33],
    [0, 1, 3, 0],
    // 10^15 × 7 is beyond 2^53.
    [1_000_000_000_000_000, 7, 9, 777_777_777_777_778],
    [-1_000_000_000_000_000, 7, 9, -777_777_777_777_778],
  ])('%d × %d / %d is %d', (amount, part, whole, expected) => {
    expect(proportionOf(amount, part, whole)).toBe(expected)
  })
})

describe('an allocation', () => {
  it.each([
    [100, [1, 1, 1], [34, 33, 33]],
    [100, [1, 1, 4], [17, 17, 66]],
    [-100, [1, 1, 1], [-33, -33, -34]],
    [50, [-100, 200], [-50, 100]],
    [-50, [100, -200], [50, -100]],
    [7, [0, 3], [0, 7]],
    [0, [5, 7], [0, 0]],
  ])('of %d to %p is %p', (total, weights, expected) => {
    expect(allocate(total, weights)).toEqual(expected)
  })

  it('adds up, and each part is less than one unit from its exact share', () => {
    const anyWeights = fc
      .array(fc.integer({ min: -100_000, max: 100_000 }), { minLength: 1, maxLength: 6 })
      .filter((weights) => weights.reduce((sum, weight) => sum + weight, 0) !== 0)
    fc.assert(
      fc.property(fc.integer(), anyWeights, (total, weights) => {
        const parts = allocate(total, weights)
        const sum = weights.reduce((all, weight) => all + weight, 0)
        expect(parts.reduce((all, part) => all + part, 0)).toBe(total)
        const distances = parts.map((part, index) =>
          Math.abs(part - (total * (weights[index] ?? 0)) / sum),
        )
        expect(Math.max(...distances)).toBeLessThan(1.001)
      }),
    )
  })
})
