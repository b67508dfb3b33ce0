import type { Logger } from 'pino'
import type { PortalAction } from '#contracts/checkout'
import type { SubscriptionTerms } from '#contracts/events/billing'
import type { UserId } from '#contracts/ids'
import type { CommandContext, CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { billingStream } from '#services/foundation/stream-names'
import type { CheckoutSession, PaymentProvider } from '#services/payments/payment-provider'
import { billingDecider, type BillingCommand } from './billing-decider.ts'
import {
  isCustomer,
  liveSubscriptions,
  type BillingState,
  type OpenCheckout,
} from './billing-state.ts'

type StartCheckoutResult =
  | {
      readonly kind: 'open'
      readonly session: CheckoutSession
      readonly url: string
      readonly position: string | null
    }
  | { readonly kind: 'already-subscribed'; readonly position: string | null }

interface SyncResult {
  readonly hasLiveSubscription: boolean
  readonly position: string | null
}

interface Customer {
  readonly userId: UserId
  readonly email: string
  readonly name: string | null
}

/** The billing operations that routes and webhooks use. */
export interface Billing {
  /** True from the customer's first payment on. */
  isCustomer(userId: UserId): Promise<boolean>
  /**
   * Opens the hosted checkout, or continues the open checkout of the same plan: two tabs get the
   * same page.
   */
  startCheckout(
    customer: Customer,
    checkoutId: string,
    terms: SubscriptionTerms,
    context: CommandContext,
  ): Promise<StartCheckoutResult>
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

/**
 * The number of attempts to open a checkout. An attempt can end with a closed checkout, for example
 * of another plan.
 */
const attempts = 4

export function createBilling(parts: {
  readonly commands: CommandHandler
  readonly provider: PaymentProvider
  readonly clock: Clock
  readonly log: Logger
}): Billing {
  const { commands, provider, clock, log } = parts
  const now = () => clock.now().toISOString()
  const load = (userId: UserId) =>
    commands.load({ decider: billingDecider, stream: billingStream(userId) })
  const handle = (userId: UserId, command: BillingCommand, context: CommandContext) =>
    commands.handle({ decider: billingDecider, stream: billingStream(userId), command, context })

  return {
    isCustomer: async (userId) => isCustomer((await load(userId)).state),

    async startCheckout(customer, checkoutId, terms, context) {
      const { userId } = customer
      const stripeCustomerId = await linkCustomer(customer, context)
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        // After the first attempt, each attempt opens a separate checkout.
        const suffix = attempt === 0 ? '' : `-${attempt}`
        const again = { ...context, commandId: `${context.commandId}${suffix}` }
        const result = await handle(
          userId,
          { type: 'start-checkout', checkoutId: `${checkoutId}${suffix}`, terms, at: now() },
          again,
        )
        if (result.kind === 'refused' && result.refusal.kind === 'already-subscribed') {
          return { kind: 'already-subscribed', position: result.position }
        }
        const open =
          result.kind === 'refused' && result.refusal.kind === 'other-checkout-open'
            ? result.refusal.open
            : result.state.openCheckout
        if (open === null) continue
        const session = await sessionOf(customer, stripeCustomerId, open, again)
        const isWanted = open.terms.priceId === terms.priceId
        if (isWanted && session.status === 'open' && session.url !== null) {
          return { kind: 'open', session, url: session.url, position: result.position }
        }
        await close(userId, open, session, again)
      }
      throw new Error(
        `The checkout of ${userId} was closed ${attempts} times while the product opened it. Check stream ${billingStream(userId)} with npm run billing -- events show.`,
      )
    },

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

  async function linkCustomer(customer: Customer, context: CommandContext): Promise<string> {
    const { state } = await load(customer.userId)
    if (state.stripeCustomerId !== null) return state.stripeCustomerId
    const { stripeCustomerId } = await provider.createCustomer(customer)
    const linked = await handle(
      customer.userId,
      { type: 'link-customer', stripeCustomerId, at: now() },
      { ...context, commandId: `${context.commandId} link` },
    )
    return linked.state.stripeCustomerId ?? stripeCustomerId
  }

  /**
   * The provider's session of a reservation. The reservation's id is the idempotency key, so a
   * repeat returns the same session.
   */
  async function sessionOf(
    customer: Customer,
    stripeCustomerId: string,
    open: OpenCheckout,
    context: CommandContext,
  ): Promise<CheckoutSession> {
    if (open.session !== null) return provider.retrieveCheckoutSession(open.session.sessionId)
    const { checkoutId, terms } = open
    const session = await provider.createCheckoutSession({
      checkoutId,
      userId: customer.userId,
      stripeCustomerId,
      terms,
    })
    const { sessionId, expiresAt } = session
    await handle(
      customer.userId,
      { type: 'record-session', checkoutId, sessionId, expiresAt, at: now() },
      { ...context, commandId: `session ${checkoutId}` },
    )
    return session
  }

  /**
   * Closes the open checkout: records a paid checkout, and expires any other checkout first at the
   * provider and then in the stream.
   */
  async function close(
    userId: UserId,
    open: OpenCheckout,
    session: CheckoutSession,
    context: CommandContext,
  ): Promise<void> {
    const closed =
      session.status === 'open' ? await provider.expireCheckoutSession(session.sessionId) : session
    if (closed.status === 'complete') {
      await sync(userId, { ...context, commandId: `${context.commandId} sync`, source: 'sync' })
      return
    }
    await handle(
      userId,
      { type: 'expire-checkout', checkoutId: open.checkoutId, at: now() },
      { ...context, commandId: `expire ${open.checkoutId}` },
    )
  }

  /**
   * The command handler loads the stream before this function fetches the provider's state, and
   * fetches the state again after a conflict. So an older state is never recorded after a newer
   * state.
   */
  async function sync(userId: UserId, context: CommandContext): Promise<SyncResult> {
    const result = await commands.handle({
      decider: billingDecider,
      stream: billingStream(userId),
      command: async (state: BillingState): Promise<BillingCommand> => ({
        type: 'reconcile',
        providerState: await fetchProviderState(state),
        at: now(),
      }),
      context,
    })
    const live = liveSubscriptions(result.state)
    if (live.length > 1) {
      log.error(
        { userId, subscriptions: live.map((each) => each.subscriptionId) },
        'The customer has more than one live subscription. Refund and cancel all but one.',
      )
    }
    return { hasLiveSubscription: live.length > 0, position: result.position }
  }

  function fetchProviderState(state: BillingState) {
    if (state.stripeCustomerId === null) return { checkouts: [], subscriptions: [], invoices: [] }
    const paid = [...state.invoices].flatMap(([invoiceId, outcome]) =>
      outcome.kind === 'paid' ? [invoiceId] : [],
    )
    return provider.fetchState(state.stripeCustomerId, new Set(paid))
  }
}

/** `id` is the product's or the provider's id of the subscription. */
function findSubscription(state: BillingState, id: string) {
  return (
    state.subscriptions.get(id) ??
    [...state.subscriptions.values()].find((each) => each.stripeSubscriptionId === id)
  )
}
