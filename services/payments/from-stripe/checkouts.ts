import type Stripe from 'stripe'
import { isCheckoutId } from '#contracts/ids'
import type { ProviderCheckout } from '../provider-state.ts'
import { instantOf } from './references.ts'

/** Null for a session without a checkout id of the product, and for a session without a status. */
export function checkoutFromStripe(session: Stripe.Checkout.Session): ProviderCheckout | null {
  const checkoutId = session.metadata?.['checkoutId']
  if (checkoutId === undefined || !isCheckoutId(checkoutId) || session.status === null) return null
  const sessionId = session.id
  const status = checkoutStatusOf(session.status)
  // Stripe dates only the creation and the planned expiry of a session.
  const at = instantOf(status === 'expired' ? session.expires_at : session.created)
  return { checkoutId, sessionId, status, at, expiresAt: instantOf(session.expires_at) }
}

/** Stripe's types allow no status and future statuses. Such a session counts as open. */
export function checkoutStatusOf(
  status: Stripe.Checkout.Session['status'],
): ProviderCheckout['status'] {
  return status === 'complete' ? 'complete' : status === 'expired' ? 'expired' : 'open'
}
