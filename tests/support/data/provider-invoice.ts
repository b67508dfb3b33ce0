import type { ProviderInvoice } from '#services/payments/provider-state'

/** A paid invoice of $39.00 for the subscription `sub_1`, as the payment provider reports it. */
export function providerInvoice(changes: Partial<ProviderInvoice> = {}): ProviderInvoice {
  return {
    invoiceId: 'in_1',
    stripeSubscriptionId: 'sub_1',
    planId: 'monthly',
    planName: 'Monthly Plan',
    paymentIntentId: 'pi_1',
    method: { type: 'card', brand: 'visa', last4: '4242', expiryMonth: 8, expiryYear: 2028 },
    total: { amount: 3900, currency: 'usd' },
    subtotal: { amount: 3900, currency: 'usd' },
    periodStart: '2026-03-03T09:12:00.000Z',
    periodEnd: '2026-04-03T09:12:00.000Z',
    billed: {
      customerName: null,
      customerEmail: null,
      addressLine1: null,
      city: null,
      state: null,
      country: null,
    },
    outcome: { kind: 'paid', at: '2026-03-03T09:12:00.000Z' },
    ...changes,
  }
}
