import type { CheckoutSessionResponse } from '#contracts/checkout'
import type { Payment, Subscription } from '#contracts/purchases'
import { hasEnded, isActive } from '#contracts/subscription-status'

/** What the provider says about the checkout of the page's address. */
export type CheckoutAnswer = CheckoutSessionResponse | 'not-yours' | 'unknown' | null

/** What the page knows about the purchase. Heading, sentence and next steps follow from it. */
export type Standing =
  | { readonly kind: 'visitor' | 'loading' | 'unknown' | 'not-yours' | 'none' }
  | { readonly kind: 'activated'; readonly subscription: Subscription; readonly paid: Paid }
  /** The checkout is complete, and the provider has reported no active plan yet. */
  | { readonly kind: 'processing'; readonly isPaid: boolean }
  /** The customer left the checkout without a payment. `url` continues it; null if it is closed. */
  | { readonly kind: 'unpaid'; readonly url: string | null }
  /** The account has a plan that is not active, such as a past due one. */
  | { readonly kind: 'inactive'; readonly subscription: Subscription }

/** The payment that started the plan. A free plan has a payment of zero, and a trial none yet. */
type Paid =
  | { readonly kind: 'paid'; readonly payment: Payment }
  | { readonly kind: 'free' | 'trial' | 'pending' }

export interface Answers {
  readonly payments: readonly Payment[]
  /** Null if the look-up failed. */
  readonly subscriptions: readonly Subscription[] | null
  /** Null without a checkout in the page's address. */
  readonly checkout: CheckoutAnswer
}

export function standingOf({ payments, subscriptions, checkout }: Answers): Standing {
  if (checkout === 'not-yours') return { kind: 'not-yours' }
  const subscription = subscriptions?.find(({ status }) => isActive(status))
  if (subscription) return { kind: 'activated', subscription, paid: paidOf(subscription, payments) }
  if (subscriptions === null || checkout === 'unknown') return { kind: 'unknown' }
  if (checkout !== null && checkout.status !== 'complete')
    return { kind: 'unpaid', url: checkout.url }
  const bought = subscriptions.find(
    ({ stripe_subscription_id }) => stripe_subscription_id === checkout?.stripeSubscriptionId,
  )
  if (checkout !== null && (bought === undefined || bought.status === 'incomplete'))
    return { kind: 'processing', isPaid: checkout.isPaid }
  const inactive = subscriptions.find(({ status }) => !hasEnded(status))
  return inactive ? { kind: 'inactive', subscription: inactive } : { kind: 'none' }
}

function paidOf(subscription: Subscription, payments: readonly Payment[]): Paid {
  const payment = payments.find(({ payment_id }) => payment_id === subscription.related_payment_id)
  if (subscription.status === 'trialing') return { kind: 'trial' }
  if (payment === undefined) return { kind: 'pending' }
  return payment.amount_total > 0 ? { kind: 'paid', payment } : { kind: 'free' }
}
