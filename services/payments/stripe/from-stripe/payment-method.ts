import type Stripe from 'stripe'
import { paymentMethod, type PaymentMethod } from '#contracts/events/billing-parts'

/** Null for a means that Stripe reports only by its id, and without a means. */
export function methodFromStripe(
  used: string | Stripe.PaymentMethod | null | undefined,
): PaymentMethod | null {
  return used === null || used === undefined || typeof used === 'string'
    ? null
    : methodOf(used.type, used.card)
}

/** The address that the customer entered with the card. Null without one. */
export function billingAddressOf(
  used: string | Stripe.PaymentMethod | null | undefined,
): Stripe.Address | null {
  if (used === null || used === undefined || typeof used === 'string') return null
  const { address } = used.billing_details
  return address !== null && Object.values(address).some(Boolean) ? address : null
}

/** The means of a charge. Stripe keeps it when the customer removes the card. */
export function methodOfCharge({
  payment_method_details: used,
}: Stripe.Charge): PaymentMethod | null {
  return used === null ? null : methodOf(used.type, used.card)
}

interface Card {
  readonly brand: string | null
  readonly last4: string | null
  readonly exp_month: number
  readonly exp_year: number
}

function methodOf(type: string, card: Card | null | undefined): PaymentMethod {
  return paymentMethod.parse({
    type,
    brand: card?.brand ?? null,
    last4: card?.last4 ?? null,
    expiryMonth: card?.exp_month ?? null,
    expiryYear: card?.exp_year ?? null,
  })
}
