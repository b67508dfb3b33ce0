import { idAtProvider, type ProviderRef } from './events/provider-ref.ts'

/*
 * The specification names the ids at the payment provider in answers, without the provider. Only
 * these functions turn the refs of events and read models into fields of answers.
 */

/** The payment at the provider. */
export function specifiedPayment(paymentRef: ProviderRef | null) {
  return { stripe_payment_intent_id: idAtProvider(paymentRef) }
}
export type SpecifiedPayment = ReturnType<typeof specifiedPayment>

export function specifiedSubscription(subscriptionRef: ProviderRef) {
  return { stripe_subscription_id: idAtProvider(subscriptionRef) }
}

/** What the transaction history shows as the id at the provider. */
export function specifiedTransaction(ref: ProviderRef) {
  return { stripe_id: idAtProvider(ref) }
}

/** A document that the provider numbers has its number there. */
export function specifiedDocument(number: string) {
  return { stripe_id: number }
}

export function specifiedPlan(refs: {
  readonly price: ProviderRef
  readonly product: ProviderRef
}) {
  return {
    stripePriceId: idAtProvider(refs.price),
    stripeProductId: idAtProvider(refs.product),
  }
}

export function specifiedCheckout({
  sessionRef,
  subscriptionRef,
}: {
  readonly sessionRef: ProviderRef
  readonly subscriptionRef: ProviderRef | null
}) {
  return {
    sessionId: idAtProvider(sessionRef),
    stripeSubscriptionId: idAtProvider(subscriptionRef),
  }
}
