import { isProviderRef, type ProviderRef } from '#contracts/events/provider-ref'
import type { SubscriptionId } from '#contracts/ids'
import type { BillingState } from './billing-state.ts'
import type { SubscriptionState } from './subscription-state.ts'

export function findSubscription(
  { subscriptions }: Pick<BillingState, 'subscriptions'>,
  id: SubscriptionId | ProviderRef,
): SubscriptionState | undefined {
  return isProviderRef(id)
    ? [...subscriptions.values()].find(({ subscriptionRef }) => subscriptionRef === id)
    : subscriptions.get(id)
}
