import { idAtProvider, type ProviderRef } from '#contracts/events/provider-ref'
import type { UserId } from '#contracts/ids'
import { PaymentProviderRefused, type PaymentProvider } from '#services/payments/payment-provider'
import type { BillingState } from './billing-state.ts'
import type { BillingStream } from './billing-stream.ts'

/**
 * Expires every open session of the customer at the provider, also sessions that the stream does
 * not have. The next synchronization records the result.
 * @throws PaymentProviderUnavailable
 * @throws PaymentProviderRefused if a session stays open
 */
export async function closeSessions(
  userId: UserId,
  state: BillingState,
  { fetchProviderState }: Pick<BillingStream, 'fetchProviderState'>,
  provider: Pick<PaymentProvider, 'expireCheckoutSession'>,
): Promise<void> {
  const { checkouts } = await fetchProviderState(userId, state)
  for (const { sessionRef, status } of checkouts)
    if (status === 'open') await closeSession(sessionRef, provider)
}

/**
 * @throws PaymentProviderUnavailable
 * @throws PaymentProviderRefused if the session stays open: the customer can still pay it
 */
export async function closeSession(
  sessionRef: ProviderRef,
  provider: Pick<PaymentProvider, 'expireCheckoutSession'>,
): Promise<'complete' | 'expired'> {
  const { status } = await provider.expireCheckoutSession(sessionRef)
  if (status === 'open')
    throw new PaymentProviderRefused(
      'closing the checkout',
      new Error(`The session ${idAtProvider(sessionRef)} stays open.`),
    )
  return status
}
