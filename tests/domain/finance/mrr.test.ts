import { describe, expect, it } from '@jest/globals'
import { noDeductions, type Deductions } from '#contracts/events/billing-parts'
import { hasMrr, mrrOf } from '#services/finance/subscriptions/mrr'
import { samplePayloads } from '../../support/data/sample-payloads.ts'

const terms = samplePayloads.SubscriptionStarted

describe('the MRR of a subscription', () => {
  it.each([
    ['39.00 a month', { amount: 3900, interval: 'month', count: 1, quantity: 1 }, 3900],
    ['390.00 a year', { amount: 39_000, interval: 'year', count: 1, quantity: 1 }, 3250],
    ['100.00 in two years', { amount: 10_000, interval: 'year', count: 2, quantity: 1 }, 417],
    ['100.00 in six months', { amount: 10_000, interval: 'month', count: 6, quantity: 1 }, 1667],
    ['10.00 a week', { amount: 1000, interval: 'week', count: 1, quantity: 1 }, 4333],
    ['10.00 in two weeks', { amount: 1000, interval: 'week', count: 2, quantity: 1 }, 2167],
    ['1.00 a day', { amount: 100, interval: 'day', count: 1, quantity: 1 }, 3042],
    ['1.00 in thirty days', { amount: 100, interval: 'day', count: 30, quantity: 1 }, 101],
    ['three seats', { amount: 3900, interval: 'month', count: 1, quantity: 3 }, 11_700],
    ['no seat', { amount: 3900, interval: 'month', count: 1, quantity: 0 }, 0],
    ['half a cent', { amount: 6, interval: 'year', count: 1, quantity: 1 }, 1],
    ['less than half a cent', { amount: 5, interval: 'year', count: 1, quantity: 1 }, 0],
    ['half a cent of a credit', { amount: -6, interval: 'year', count: 1, quantity: 1 }, -1],
    [
      'more than a double holds',
      { amount: 9_007_199_254_740_991, interval: 'year', count: 365, quantity: 4380 },
      9_007_199_254_740_991,
    ],
  ] as const)('of %s is normalized to a month', (_, each, expected) => {
    const { amount, interval, count, quantity } = each
    const price = { amount, currency: 'usd' }
    const of = { ...terms, price, interval, intervalCount: count, quantity }
    expect(mrrOf(of, noDeductions)).toBe(expected)
  })

  const share = (millionths: number) => ({ kind: 'share' as const, millionths })
  const off = (amount: number) => ({ kind: 'amount' as const, amount })
  it.each<readonly [string, 'month' | 'year', Deductions, number]>([
    ['a coupon of 50 % for good', 'month', { discounts: [share(500_000)], includedTax: 0 }, 5950],
    ['a coupon of 20.00 for good', 'month', { discounts: [off(2000)], includedTax: 0 }, 9900],
    ['a coupon above the price', 'month', { discounts: [off(20_000)], includedTax: 0 }, 0],
    [
      'an amount, then a share',
      'month',
      { discounts: [off(1900), share(100_000)], includedTax: 0 },
      9000,
    ],
    [
      'a share, then an amount',
      'month',
      { discounts: [share(100_000), off(1900)], includedTax: 0 },
      8810,
    ],
    ['an included tax of 19 %', 'month', { discounts: [], includedTax: 190_000 }, 10_000],
    [
      'a coupon and an included tax',
      'month',
      { discounts: [share(500_000)], includedTax: 190_000 },
      5000,
    ],
    // The invoice of the year has 95.20 without 15.20 tax: 80.00 in 12 months.
    ['both in a year', 'year', { discounts: [share(200_000)], includedTax: 190_000 }, 667],
  ])('is less by %s', (_, interval, deductions, expected) => {
    const of = { ...terms, price: { amount: 11_900, currency: 'usd' }, interval }
    expect(mrrOf(of, deductions)).toBe(expected)
  })

  it('has the included tax of the invoice, to the cent', () => {
    // 39.00 with 19 % included is 32.77 and 6.23.
    const of = { ...terms, price: { amount: 3900, currency: 'usd' } }
    expect(mrrOf(of, { discounts: [], includedTax: 190_000 })).toBe(3277)
  })

  it('counts while the subscription is active or past due', () => {
    const statuses = ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused'] as const
    expect(statuses.filter(hasMrr)).toEqual(['active', 'past_due'])
  })
})
