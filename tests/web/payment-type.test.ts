import { describe, expect, it } from '@jest/globals'
import { paymentType } from '../../web/features/admin/tabs/payment-type.ts'

describe('the type of a payment', () => {
  it.each([
    [39, 'Monthly Plan', 'paid', 'Payment'],
    [0, null, 'paid', 'Payment'],
    [-0.01, 'Monthly Plan', 'paid', 'Refund'],
    [39, 'Partial REFUND', 'paid', 'Refund'],
    [-39, 'Credit note', 'refunded', 'Refund'],
    [39, 'Monthly Plan', 'refunded', 'Credit Note'],
    [39, 'Account Credit', 'paid', 'Credit Note'],
    [39, 'Refund as credit', 'refunded', 'Refund'],
    [39, 'Monthly Plan', 'disputed', 'Payment'],
  ] as const)(
    'of %s for %s with status %s is %s',
    (amount_total, plan_name, payment_status, type) => {
      expect(paymentType({ amount_total, plan_name, payment_status })).toBe(type)
    },
  )
})
