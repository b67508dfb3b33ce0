import { v5 as uuidv5 } from 'uuid'

const namespace = '5a1d3a0e-6d0b-4c8e-9a55-0c4b7a0a7f11'

/** Our id of a provider's subscription: the same one always gives the same id. */
export function subscriptionIdOf(stripeSubscriptionId: string): string {
  return `subscription_${uuidv5(`subscription ${stripeSubscriptionId}`, namespace)}`
}

/** Our id of the payment that settles a provider's invoice. */
export function paymentIdOf(stripeInvoiceId: string): string {
  return `payment_${uuidv5(`invoice ${stripeInvoiceId}`, namespace)}`
}

/** Our id of the checkout that a command opens: the same command opens the same one. */
export function checkoutIdOf(userId: string, commandId: string): string {
  return `checkout_${uuidv5(`checkout ${userId} ${commandId}`, namespace)}`
}
