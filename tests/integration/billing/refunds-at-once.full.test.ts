import { describe, expect, it } from '@jest/globals'
import { refundingOfFile } from '../../support/product/refunding.ts'

const { side, bought, eventsOf, refund, complete, refundsAtProvider, broken } =
  await refundingOfFile()

describe('50 refunds of one payment at once', () => {
  it('of all of it return it once, and the others are refused with the reason', async () => {
    const one = await bought()
    const results = await Promise.all(Array.from({ length: 50 }, () => refund(one, 3900)))
    expect(results.filter(({ kind }) => kind === 'requested')).toHaveLength(1)
    for (const each of results)
      if (each.kind === 'refused') expect(each.refusal.kind).toBe('nothing-left')
    expect(await refundsAtProvider(one)).toEqual([3900])
  }, 60_000)

  it('of a part, with a provider that fails every third call, never return more than was paid', async () => {
    const one = await bought()
    let calls = 0
    side.intercept = async (call, forward) => {
      if (call !== 'POST /v1/refunds' || (calls += 1) % 3 !== 0) return null
      // Every second failure has taken effect.
      if (calls % 6 === 0) await forward()
      return broken()
    }
    const results = await Promise.all(Array.from({ length: 50 }, () => refund(one, 100)))
    expect(results.filter(({ kind }) => kind === 'requested')).toHaveLength(39)
    side.intercept = async () => null
    await complete(one)
    expect(await refundsAtProvider(one)).toEqual(Array.from({ length: 39 }, () => 100))
    expect(await eventsOf(one.userId, 'RefundRecorded')).toHaveLength(39)
  }, 120_000)
})
