import type { UserId } from '#contracts/ids'
import { PaymentProviderRefused, type PaymentProvider } from '#services/payments/payment-provider'
import type { BillingState } from './billing-state.ts'
import type { BillingStream } from './billing-stream.ts'

/**
 * Expires every open session of the customer at the provider, also sessions that the stream does
 * not have. The next synchronization records the result.
 * @throws PaymentProviderUnavailable
 * @throws PaymentProviderRefused if a session stays open: the customer can still pay it
 */
export async function closeSessions(
  userId: UserId,
  state: BillingState,
  { fetchProviderState }: Pick<BillingStream, 'fetchProviderState'>,
  provider: Pick<PaymentProvider, 'expireCheckoutSession'>,
): Promise<void> {
  const { checkouts } = await fetchProviderState(userId, state)
  for (const { sessionRef, status } of checkouts) {
    if (status !== 'open') continue
    const after = await provider.expireCheckoutSession(sessionRef)
    if (after.status === 'open')
      throw new PaymentProviderRefused(
        'closing the checkout',
        new Error(`The session ${sessionRef} stays open.`),
      )
  }
}
