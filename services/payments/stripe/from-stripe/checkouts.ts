import type Stripe from 'stripe'
import { isCheckoutId } from '#contracts/ids'
import type { ProviderCheckout } from '../../provider-state.ts'
import { instantOf, refOf, refOrNull } from './references.ts'

/** Null for a session without a checkout id of the product, and for a session without a status. */
export function checkoutFromStripe(session: Stripe.Checkout.Session): ProviderCheckout | null {
  const checkoutId = session.metadata?.['checkoutId']
  if (checkoutId === undefined || !isCheckoutId(checkoutId) || session.status === null) return null
  return {
    checkoutId,
    sessionRef: refOf(session.id),
    status: checkoutStatusOf(session.status),
    openedAt: instantOf(session.created),
    expiresAt: instantOf(session.expires_at),
    subscriptionRef: refOrNull(session.subscription),
  }
}

/** Stripe's types allow no status and future statuses. Such a session counts as open. */
export function checkoutStatusOf(
  status: Stripe.Checkout.Session['status'],
): ProviderCheckout['status'] {
  return status === 'complete' ? 'complete' : status === 'expired' ? 'expired' : 'open'
}
