import type { BillingChange } from '#contracts/billing-change'
import { textOfRef, type ProviderRef } from '#contracts/events/provider-ref'
import type { SubscriptionId, UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { CommandContext } from '#services/commands/command-context'
import { createJoinedRuns } from '#services/foundation/joined-runs'
import type { CheckoutSession } from '#services/payments/payment-provider'
import type { BillingCommand } from './billing-decider.ts'
import { billingChanges } from './billing-changes.ts'
import { initialBillingState, liveSubscriptions } from './billing-state.ts'
import { evolveBilling } from './evolve-billing.ts'
import { createBillingStream, type BillingParts } from './billing-stream.ts'
import { closeSessions } from './close-sessions.ts'
import { findSubscription } from './find-subscription.ts'
import { keepPlan, type KeptPlan } from './keep-plan.ts'
import { createCheckoutSessions, type CheckoutSessionFor } from './checkout-sessions.ts'
import {
  createPortalVisits,
  type OpenedPortal,
  type PlanChoice,
  type PortalVisit,
} from './portal-visits.ts'

interface SyncResult {
  readonly hasLiveSubscription: boolean
  /** The number of events that the billing stream received. */
  readonly facts: number
  readonly position: string | null
}

/** The billing operations that routes and webhooks use. */
export interface Billing {
  /** True if the customer at the provider belongs to the account, also if it was deleted there. */
  isLinked(userId: UserId, customerRef: ProviderRef): Promise<boolean>
  /**
   * Opens the hosted checkout, or continues the open checkout of the same plan: two tabs get the
   * same page.
   */
  readonly checkoutSessionFor: CheckoutSessionFor
  /**
   * A checkout of the customer as the provider has it; null if the session belongs to another
   * customer. The address is null unless the customer can pay there.
   */
  findCheckout(userId: UserId, sessionRef: ProviderRef): Promise<CheckoutSession | null>
  /**
   * Compares the billing stream with the provider's state and records the differences. Calls for
   * one customer at the same time share a comparison, which begins after they arrived. A purchase
   * causes a dozen webhooks, and each would read the same state. The facts are recorded with the
   * first call's context, and only this call counts them. `changesSince` is the time of the oldest
   * event whose changes can be missing; null without one.
   */
  sync(userId: UserId, context: CommandContext, changesSince?: Instant | null): Promise<SyncResult>
  /**
   * Ends the subscriptions of a blocked account in the stream. Calls no provider. The reactor
   * `blocked-billing` cancels the subscriptions at the provider.
   */
  endBlocked(userId: UserId, context: CommandContext): Promise<{ readonly position: string | null }>
  /**
   * Expires the customer's open sessions at the provider and records the customer's state. For a
   * blocked account.
   * @throws PaymentProviderUnavailable, PaymentProviderRefused
   */
  closeCheckouts(userId: UserId, context: CommandContext): Promise<void>
  /**
   * For an erasure: closes the customer's billing at the provider. If a subscription is live, it is
   * canceled with `isCanceling`; without, nothing is changed. Then the open sessions are expired.
   * Returns the subscriptions that the provider can still charge.
   * @throws PaymentProviderUnavailable, PaymentProviderRefused
   */
  close(
    userId: UserId,
    isCanceling: boolean,
    context: CommandContext,
  ): Promise<readonly ProviderRef[]>
  /** Whether the customer has an open checkout that only the provider can close. */
  hasOpenSession(userId: UserId): Promise<boolean>
  isBlocked(userId: UserId): Promise<boolean>
  /** Whether the account has a customer at the payment provider. */
  hasCustomer(userId: UserId): Promise<boolean>
  /** The account's customer at the provider; null without one. */
  customerRefOf(userId: UserId): Promise<ProviderRef | null>
  /** The subscription at the provider; null if the customer does not have the subscription. */
  subscriptionRefOf(userId: UserId, subscriptionId: SubscriptionId): Promise<ProviderRef | null>
  /**
   * A new portal link; null without a customer at the provider, or if the customer does not have
   * the subscription. `ended`: the subscription has ended, so it cannot be canceled or changed.
   * `blocked`: the account is blocked, also if the block came while the link was created. `since`
   * is the moment of the billing stream before the visit. The return address gets it in the place
   * of the marker `portalReturn`.
   */
  openPortal(userId: UserId, portal: PortalVisit): Promise<OpenedPortal>
  /**
   * A new portal link that asks to confirm the change to this plan. `obstacle` says in a sentence
   * why the subscription cannot move to the plan. Synchronize first: the customer or an operator
   * can have changed the subscription at the provider.
   */
  openPlanChange(
    userId: UserId,
    change: Omit<PortalVisit, 'action'> & { readonly plan: PlanChoice },
  ): Promise<OpenedPortal | { readonly obstacle: string }>
  /** Withdraws a scheduled cancellation at the provider and records the result. */
  keepPlan(
    userId: UserId,
    subscriptionId: SubscriptionId | ProviderRef,
    context: CommandContext,
  ): Promise<{ readonly kept: KeptPlan; readonly position: string | null }>
  /** What the stream says that changed since a moment of `openPortal`. */
  changesSince(userId: UserId, moment: number): Promise<readonly BillingChange[]>
}

export function createBilling(parts: BillingParts): Billing {
  const { provider } = parts
  const stream = createBillingStream(parts)
  const { load, handleAndEndBlocked, fetchProviderState, now } = stream
  const portal = createPortalVisits(stream, provider)
  const joined = createJoinedRuns<UserId, Instant | null, SyncResult>(olderOf)

  return {
    async isLinked(userId, customerRef) {
      const { state } = await load(userId)
      return state.customerRef === customerRef || state.formerCustomerRefs.includes(customerRef)
    },

    checkoutSessionFor: createCheckoutSessions(stream, provider),

    async findCheckout(userId, sessionRef) {
      const { state } = await load(userId)
      if (state.customerRef === null) return null
      const session = await provider.retrieveCheckoutSession(sessionRef)
      const owners = [state.customerRef, ...state.formerCustomerRefs]
      if (session?.customerRef == null || !owners.includes(session.customerRef)) return null
      // The provider can be away when a block closes the session. No page leads to it meanwhile.
      const isOpen =
        state.openCheckout?.session?.sessionRef === sessionRef && !(await stream.isBlocked(userId))
      return { ...session, url: isOpen ? session.url : null }
    },

    sync,

    endBlocked: (userId, context) =>
      handleAndEndBlocked(userId, { type: 'end-blocked', at: now() }, context),

    closeCheckouts,

    async close(userId, isCanceling, context) {
      await sync(userId, context)
      const live = await liveRefs(userId)
      if (live.length > 0 && !isCanceling) return live
      for (const ref of live) await provider.cancelSubscription(ref, `close ${textOfRef(ref)}`)
      await closeCheckouts(userId, { ...context, commandId: `${context.commandId} closed` })
      return liveRefs(userId)
    },

    hasOpenSession: async (userId) => (await load(userId)).state.openCheckout?.session != null,

    isBlocked: stream.isBlocked,

    customerRefOf: async (userId) => (await load(userId)).state.customerRef,

    hasCustomer: async (userId) => (await load(userId)).state.customerRef !== null,

    async subscriptionRefOf(userId, subscriptionId) {
      const { state } = await load(userId)
      return findSubscription(state, subscriptionId)?.subscriptionRef ?? null
    },

    openPortal: portal.openPortal,
    openPlanChange: portal.openPlanChange,

    async keepPlan(userId, subscriptionId, context) {
      const kept = await keepPlan({ stream, provider, sync }, userId, subscriptionId, context)
      return { kept, position: (await load(userId)).position }
    },

    async changesSince(userId, moment) {
      const events = await stream.loadEvents(userId)
      const before = events.slice(0, moment).reduce(evolveBilling, initialBillingState)
      return billingChanges(before, events.slice(moment))
    },
  }

  async function sync(
    userId: UserId,
    context: CommandContext,
    changesSince: Instant | null = null,
  ): Promise<SyncResult> {
    const { result, isOwn } = await joined(userId, changesSince, (since) =>
      compare(userId, context, since),
    )
    return isOwn ? result : { ...result, facts: 0 }
  }

  async function closeCheckouts(userId: UserId, context: CommandContext): Promise<void> {
    const { state } = await load(userId)
    if (state.customerRef === null) return
    await closeSessions(userId, state, stream, provider)
    await sync(userId, context)
  }

  async function liveRefs(userId: UserId): Promise<readonly ProviderRef[]> {
    const { state } = await load(userId)
    return liveSubscriptions(state).map(({ subscriptionRef }) => subscriptionRef)
  }

  async function compare(
    userId: UserId,
    context: CommandContext,
    changesSince: Instant | null,
  ): Promise<SyncResult> {
    const result = await handleAndEndBlocked(
      userId,
      async (state): Promise<BillingCommand> => ({
        type: 'reconcile',
        providerState: await fetchProviderState(userId, state, changesSince),
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

/** Null is the time of no event. */
function olderOf(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null || b === null) return a ?? b
  return a < b ? a : b
}
