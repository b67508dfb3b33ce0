import type { StripeObject, Subscription } from './stripe-objects.ts'

/** When (seconds) the passing of time alone changes this object; null if it never does. */
export function dueAt(object: StripeObject): number | null {
  switch (object.object) {
    case 'checkout.session':
      return object.status === 'open' ? object.expires_at : null
    case 'subscription':
      return object.ended_at === null ? nextTurn(object) : null
    case 'invoice':
      return object.status === 'open' ? object.next_payment_attempt : null
    case 'billing_portal.session':
    case 'charge':
    case 'customer':
    case 'event':
    case 'invoice_payment':
    case 'payment_intent':
    case 'payment_method':
    case 'refund':
      return null
  }
}

/** The end of the running period, or the cancellation if that comes first. */
function nextTurn(subscription: Subscription): number | null {
  const periodEnds = subscription.items.data.map((item) => item.current_period_end)
  const moments =
    subscription.cancel_at === null ? periodEnds : [...periodEnds, subscription.cancel_at]
  return moments.length === 0 ? null : Math.min(...moments)
}
