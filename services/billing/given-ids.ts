import { refAt, type ProviderRef } from '#contracts/events/provider-ref'
import { isSubscriptionId, type SubscriptionId } from '#contracts/ids'

/**
 * A subscription as a request names it: by the product's id, or by the id at the provider, which
 * the API has without the provider.
 */
export function givenSubscription(
  { name }: { readonly name: string },
  id: string,
): SubscriptionId | ProviderRef {
  return isSubscriptionId(id) ? id : refAt(name, id)
}
