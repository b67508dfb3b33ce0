import { describe, expect, it } from '@jest/globals'
import { planById, plans } from '#contracts/plans'
import { planOfMerchant } from '#services/receivables/plan-of-merchant'

const subscription = (
  planId: string | null,
  status: 'active' | 'past_due' | 'paused' | 'unpaid',
) => ({
  status,
  terms: { planId },
})

describe('the plan of a merchant', () => {
  it('has the fee that its feature names', () => {
    expect(
      plans.map(({ id, feeBasisPoints, features }) => [
        id,
        feeBasisPoints,
        features.feeOnCustomerPayments,
      ]),
    ).toEqual([
      ['monthly', 500, '5%'],
      ['six-month', 500, '5%'],
      ['annual', 300, '3%'],
    ])
  })

  it('gives its fee while it is active or past due', () => {
    expect(planOfMerchant([subscription('annual', 'active')])).toEqual({
      plan: 'usable',
      feeBasisPoints: 300,
    })
    expect(planOfMerchant([subscription('six-month', 'past_due')])).toEqual({
      plan: 'usable',
      feeBasisPoints: 500,
    })
  })

  it('gives no fee while it is paused or unpaid, or without one', () => {
    expect(planOfMerchant([subscription('annual', 'paused')])).toEqual({
      plan: 'paused',
      feeBasisPoints: null,
    })
    expect(planOfMerchant([subscription('annual', 'unpaid')])).toEqual({
      plan: 'none',
      feeBasisPoints: null,
    })
    expect(planOfMerchant([])).toEqual({ plan: 'none', feeBasisPoints: null })
  })

  it('gives the lower fee of two usable plans, and never that of a paused one', () => {
    const fee = (...subscriptions: Parameters<typeof planOfMerchant>[0]) =>
      planOfMerchant(subscriptions).feeBasisPoints
    expect(fee(subscription('monthly', 'active'), subscription('annual', 'past_due'))).toBe(300)
    expect(fee(subscription('monthly', 'active'), subscription('annual', 'paused'))).toBe(500)
  })

  it('has the fee of the public pages if the catalogue does not have it', () => {
    const monthly = planById('monthly').feeBasisPoints
    for (const planId of [null, 'former'])
      expect(planOfMerchant([subscription(planId, 'active')]).feeBasisPoints).toBe(monthly)
  })
})
