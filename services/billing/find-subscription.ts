import { isSubscriptionId } from '#contracts/ids'
import type { BillingState } from './billing-state.ts'
import type { SubscriptionState } from './subscription-state.ts'

/** `id` is the product's or the provider's id of the subscription. */
export function findSubscription(state: BillingState, id: string): SubscriptionState | undefined {
  return (
    (isSubscriptionId(id) ? state.subscriptions.get(id) : undefined) ??
    [...state.subscriptions.values()].find((each) => each.stripeSubscriptionId === id)
  )
}
