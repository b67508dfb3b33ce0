import type { FailedAttempt, ProviderInvoice } from '#services/payments/provider-state'
import { unknownBuyer } from '#services/billing/parties'
import { refOf } from '#services/payments/stripe/from-stripe/references'

/** The sums of a paid invoice of one plan, in minor units. */
export function amountsOf(paid: number, currency = 'usd'): ProviderInvoice['amounts'] {
  return { currency, subtotal: paid, discount: 0, tax: 0, total: paid, fromBalance: 0, paid }
}

export const visa = {
  type: 'card',
  brand: 'visa',
  last4: '4242',
  expiryMonth: 8,
  expiryYear: 2028,
}

/** A paid invoice of $39.00 for the subscription `sub_1`, as the payment provider reports it. */
export function providerInvoice(changes: Partial<ProviderInvoice> = {}): ProviderInvoice {
  return {
    invoiceRef: refOf('in_1'),
    invoiceNumber: 'AR-0001',
    cause: 'renewal',
    subscriptionRef: refOf('sub_1'),
    planId: 'monthly',
    planName: 'Monthly Plan',
    paymentRef: refOf('pi_1'),
    paidBy: [{ kind: 'method', method: visa }],
    amounts: amountsOf(3900),
    due: 3900,
    lines: [
      {
        description: '1 × Monthly Plan (at $39.00 / month)',
        amount: 3900,
        quantity: 1,
        priceRef: refOf('price_monthly'),
        periodStart: '2026-03-03T09:12:00.000Z',
        periodEnd: '2026-04-03T09:12:00.000Z',
        isProration: false,
      },
    ],
    periodStart: '2026-03-03T09:12:00.000Z',
    periodEnd: '2026-04-03T09:12:00.000Z',
    billed: unknownBuyer,
    hostedInvoiceUrl: null,
    failures: [],
    outcome: { kind: 'paid', at: '2026-03-03T09:12:00.000Z' },
    ...changes,
  }
}

/** The first failed attempt to collect an invoice. */
export const failedAttempt: FailedAttempt = {
  at: '2026-03-03T09:12:00.000Z',
  attempt: 1,
  reason: 'Your card was declined.',
  code: 'generic_decline',
  method: null,
  nextAttemptAt: null,
}
