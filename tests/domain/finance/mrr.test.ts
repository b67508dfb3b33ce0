import { describe, expect, it } from '@jest/globals'
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
    expect(mrrOf({ ...terms, price, interval, intervalCount: count, quantity })).toBe(expected)
  })

  it('does not depend on the plan catalogue', () => {
    expect(mrrOf({ ...terms, planId: null, planName: 'Legacy' })).toBe(mrrOf(terms))
  })

  it('counts while the subscription is active or past due', () => {
    const statuses = ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused'] as const
    expect(statuses.filter(hasMrr)).toEqual(['active', 'past_due'])
  })
})
