import type { BillingEvent, SubscriptionStatus, SubscriptionTerms } from '#contracts/events/billing'
import type { Instant } from '#contracts/instant'
import { unreachable } from '#services/foundation/decider'

export interface OpenCheckout {
  readonly checkoutId: string
  readonly terms: SubscriptionTerms
  /** Null between the reservation and the provider's answer: a crash there is healed by asking again. */
  readonly session: { readonly sessionId: string; readonly expiresAt: Instant } | null
}

export interface SubscriptionState {
  readonly subscriptionId: string
  readonly stripeSubscriptionId: string
  readonly status: SubscriptionStatus
  readonly currentPeriodStart: Instant
  readonly currentPeriodEnd: Instant
  readonly cancelAt: Instant | null
  readonly hasEnded: boolean
  /** How often the status, and the cancellation, changed: numbers the facts, which may recur. */
  readonly statusChanges: number
  readonly cancellationChanges: number
}

export interface BillingState {
  readonly stripeCustomerId: string | null
  readonly openCheckout: OpenCheckout | null
  readonly closedCheckouts: ReadonlySet<string>
  /** By our subscription id. */
  readonly subscriptions: ReadonlyMap<string, SubscriptionState>
  /** Invoice id to 'paid', or to the number of the last failed attempt. */
  readonly invoices: ReadonlyMap<string, 'paid' | number>
}

export const initialBillingState: BillingState = {
  stripeCustomerId: null,
  openCheckout: null,
  closedCheckouts: new Set(),
  subscriptions: new Map(),
  invoices: new Map(),
}

/** Statuses under which the provider may still charge: while one lasts, no second subscription is sold. */
const liveStatuses: ReadonlySet<SubscriptionStatus> = new Set([
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'paused',
])

export function isLive(subscription: SubscriptionState): boolean {
  return !subscription.hasEnded && liveStatuses.has(subscription.status)
}

export function hasLiveSubscription(state: BillingState): boolean {
  return [...state.subscriptions.values()].some(isLive)
}

/** True from the first payment on: user type 4, 'Completed a purchase'. */
export function isCustomer(state: BillingState): boolean {
  return [...state.invoices.values()].includes('paid')
}

/** Folds one event into the state: only what later decisions ask for is kept. */
export function evolveBilling(state: BillingState, event: BillingEvent): BillingState {
  switch (event.type) {
    case 'PaymentCustomerLinked':
      return { ...state, stripeCustomerId: event.data.stripeCustomerId }
    case 'CheckoutStarted': {
      const { checkoutId, ...terms } = event.data
      return { ...state, openCheckout: { checkoutId, terms, session: null } }
    }
    case 'CheckoutSessionOpened': {
      if (state.openCheckout?.checkoutId !== event.data.checkoutId) return state
      const { sessionId, expiresAt } = event.data
      return {
        ...state,
        openCheckout: { ...state.openCheckout, session: { sessionId, expiresAt } },
      }
    }
    case 'CheckoutCompleted':
    case 'CheckoutExpired':
    case 'CheckoutFailed':
      return closeCheckout(state, event.data.checkoutId)
    case 'SubscriptionStarted': {
      const { subscriptionId, stripeSubscriptionId, status, currentPeriodStart, currentPeriodEnd } =
        event.data
      return withSubscription(state, {
        subscriptionId,
        stripeSubscriptionId,
        status,
        currentPeriodStart,
        currentPeriodEnd,
        cancelAt: null,
        hasEnded: false,
        statusChanges: 0,
        cancellationChanges: 0,
      })
    }
    case 'SubscriptionRenewed': {
      const { subscriptionId, currentPeriodStart, currentPeriodEnd } = event.data
      return changeSubscription(state, subscriptionId, (known) => ({
        ...known,
        currentPeriodStart,
        currentPeriodEnd,
      }))
    }
    case 'SubscriptionStatusChanged':
      return changeSubscription(state, event.data.subscriptionId, (known) => ({
        ...known,
        status: event.data.to,
        statusChanges: known.statusChanges + 1,
      }))
    case 'CancellationScheduled':
      return changeSubscription(state, event.data.subscriptionId, (known) => ({
        ...known,
        cancelAt: event.data.effectiveAt,
        cancellationChanges: known.cancellationChanges + 1,
      }))
    case 'CancellationWithdrawn':
      return changeSubscription(state, event.data.subscriptionId, (known) => ({
        ...known,
        cancelAt: null,
        cancellationChanges: known.cancellationChanges + 1,
      }))
    case 'SubscriptionEnded':
      return changeSubscription(state, event.data.subscriptionId, (known) => ({
        ...known,
        status: 'canceled',
        hasEnded: true,
      }))
    case 'PaymentSucceeded':
      return withInvoice(state, event.data.invoiceId, 'paid')
    case 'PaymentFailed':
      return withInvoice(state, event.data.invoiceId, event.data.attempt)
    default:
      return unreachable(event)
  }
}

function closeCheckout(state: BillingState, checkoutId: string): BillingState {
  const openCheckout = state.openCheckout?.checkoutId === checkoutId ? null : state.openCheckout
  return {
    ...state,
    openCheckout,
    closedCheckouts: new Set([...state.closedCheckouts, checkoutId]),
  }
}

function withSubscription(state: BillingState, subscription: SubscriptionState): BillingState {
  return {
    ...state,
    subscriptions: new Map(state.subscriptions).set(subscription.subscriptionId, subscription),
  }
}

function changeSubscription(
  state: BillingState,
  subscriptionId: string,
  change: (known: SubscriptionState) => SubscriptionState,
): BillingState {
  const known = state.subscriptions.get(subscriptionId)
  if (!known)
    throw new Error(
      `Subscription ${subscriptionId} changed before it started. The billing stream is damaged; verify it.`,
    )
  return withSubscription(state, change(known))
}

function withInvoice(
  state: BillingState,
  invoiceId: string,
  outcome: 'paid' | number,
): BillingState {
  return { ...state, invoices: new Map(state.invoices).set(invoiceId, outcome) }
}
