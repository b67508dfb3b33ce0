import type { PortalAction } from '#contracts/checkout'
import { isSubscriptionId, type UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/handle-command'
import type { CheckoutSession } from '#services/payments/payment-provider'
import type { BillingCommand } from './billing-decider.ts'
import { isCustomer, liveSubscriptions, type BillingState } from './billing-state.ts'
import { createBillingStream, type BillingParts } from './billing-stream.ts'
import { createCheckoutOpener, type OpenCheckoutFor } from './open-checkout.ts'

interface SyncResult {
  readonly hasLiveSubscription: boolean
  /** The number of events that the billing stream received. */
  readonly facts: number
  readonly position: string | null
}

/** The billing operations that routes and webhooks use. */
export interface Billing {
  /** True from the customer's first payment on. */
  isCustomer(userId: UserId): Promise<boolean>
  /** True if the customer at the provider belongs to the account, also if it was deleted there. */
  isLinked(userId: UserId, stripeCustomerId: string): Promise<boolean>
  /**
   * Opens the hosted checkout, or continues the open checkout of the same plan: two tabs get the
   * same page.
   */
  readonly startCheckout: OpenCheckoutFor
  /**
   * The customer's open checkout; null if the checkout is closed or belongs to another customer.
   */
  findCheckout(userId: UserId, sessionId: string): Promise<CheckoutSession | null>
  /** Compares the billing stream with the provider's state and records the differences. */
  sync(userId: UserId, context: CommandContext): Promise<SyncResult>
  /**
   * A new portal link; null without a customer at the provider, or if the customer does not have
   * the subscription.
   */
  openPortal(
    userId: UserId,
    portal: {
      readonly subscriptionId: string | null
      readonly action: PortalAction
      readonly returnUrl: string
    },
  ): Promise<{ readonly url: string } | null>
}

export function createBilling(parts: BillingParts): Billing {
  const { provider } = parts
  const stream = createBillingStream(parts)
  const { load, handle, fetchProviderState, now } = stream

  return {
    isCustomer: async (userId) => isCustomer((await load(userId)).state),

    async isLinked(userId, stripeCustomerId) {
      const { state } = await load(userId)
      return (
        state.stripeCustomerId === stripeCustomerId ||
        state.formerCustomerIds.includes(stripeCustomerId)
      )
    },

    startCheckout: createCheckoutOpener(stream, provider),

    async findCheckout(userId, sessionId) {
      const { state } = await load(userId)
      if (state.openCheckout?.session?.sessionId !== sessionId) return null
      return provider.retrieveCheckoutSession(sessionId)
    },

    sync,

    async openPortal(userId, { subscriptionId, action, returnUrl }) {
      const { state } = await load(userId)
      if (state.stripeCustomerId === null) return null
      const subscription =
        subscriptionId === null ? undefined : findSubscription(state, subscriptionId)
      if (subscriptionId !== null && subscription === undefined) return null
      return provider.createPortalSession({
        stripeCustomerId: state.stripeCustomerId,
        stripeSubscriptionId: subscription?.stripeSubscriptionId ?? null,
        action,
        returnUrl,
      })
    },
  }

  async function sync(userId: UserId, context: CommandContext): Promise<SyncResult> {
    const result = await handle(
      userId,
      async (state): Promise<BillingCommand> => ({
        type: 'reconcile',
        providerState: await fetchProviderState(state),
        at: now(),
      }),
      context,
    )
    return {
      hasLiveSubscription: liveSubscriptions(result.state).length > 0,
      facts: result.events.length,
      position: result.position,
    }
  }
}

/** `id` is the product's or the provider's id of the subscription. */
function findSubscription(state: BillingState, id: string) {
  return (
    (isSubscriptionId(id) ? state.subscriptions.get(id) : undefined) ??
    [...state.subscriptions.values()].find((each) => each.stripeSubscriptionId === id)
  )
}
