import type { BillingEvent, SubscriptionEnd, SubscriptionTerms } from '#contracts/events/billing'
import {
  parseCheckoutId,
  parseSubscriptionId,
  type CheckoutId,
  type SubscriptionId,
} from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import {
  blocksSecondSubscription,
  isLive,
  type StartedStatus,
} from '#contracts/subscription-status'
import { unreachable } from '#services/foundation/decider'

export interface OpenCheckout {
  readonly checkoutId: CheckoutId
  readonly terms: SubscriptionTerms
  /** When the reservation can be released, if it has no session by then. */
  readonly lapsesAt: Instant
  /**
   * Null until the provider's session is recorded. After a crash, the next click finds the session
   * at the provider or requests it again.
   */
  readonly session: { readonly sessionId: string; readonly expiresAt: Instant } | null
}

interface SubscriptionIds {
  readonly subscriptionId: SubscriptionId
  readonly stripeSubscriptionId: string
}

export interface StartedSubscription extends SubscriptionIds {
  readonly kind: 'started'
  readonly status: StartedStatus
  readonly terms: SubscriptionTerms
  readonly currentPeriodStart: Instant
  readonly currentPeriodEnd: Instant
  readonly cancelAt: Instant | null
  /**
   * The number of status changes: part of a fact's name, because the same change can happen again.
   */
  readonly statusChanges: number
  /** The number of plan changes, for the same reason. */
  readonly planChanges: number
  /** The number of scheduled and withdrawn cancellations, for the same reason. */
  readonly cancellationChanges: number
}

/** The end is final: an ended subscription has no status, no period and no cancellation. */
interface EndedSubscription extends SubscriptionIds, SubscriptionEnd {
  readonly kind: 'ended'
}

export type SubscriptionState = StartedSubscription | EndedSubscription

/**
 * The latest recorded outcome of an invoice. `attempt` counts from 1. A paid invoice stays paid.
 */
type InvoiceState =
  | { readonly kind: 'paid' }
  | { readonly kind: 'failed'; readonly attempt: number }

export interface BillingState {
  readonly stripeCustomerId: string | null
  /**
   * The customers that were deleted at the provider. Their payments still belong to the account.
   */
  readonly formerCustomerIds: readonly string[]
  readonly openCheckout: OpenCheckout | null
  readonly closedCheckouts: ReadonlySet<CheckoutId>
  /** By the product's subscription id. */
  readonly subscriptions: ReadonlyMap<SubscriptionId, SubscriptionState>
  /** By the provider's invoice id. */
  readonly invoices: ReadonlyMap<string, InvoiceState>
}

export const initialBillingState: BillingState = {
  stripeCustomerId: null,
  formerCustomerIds: [],
  openCheckout: null,
  closedCheckouts: new Set(),
  subscriptions: new Map(),
  invoices: new Map(),
}

/** The subscriptions that the provider can still charge. */
export function liveSubscriptions(state: BillingState): readonly StartedSubscription[] {
  return startedSubscriptions(state).filter(({ status }) => isLive(status))
}

/** Whether the customer has a subscription that blocks a second subscription. */
export function isSecondSubscriptionBlocked(state: BillingState): boolean {
  return startedSubscriptions(state).some(({ status }) => blocksSecondSubscription(status))
}

function startedSubscriptions(state: BillingState): readonly StartedSubscription[] {
  return [...state.subscriptions.values()].filter((each) => each.kind === 'started')
}

/** True from the first payment on: user type 4, 'Completed a purchase'. */
export function isCustomer(state: BillingState): boolean {
  return [...state.invoices.values()].some(({ kind }) => kind === 'paid')
}

/** Folds one event into the state. The state holds only what decisions need. */
export function evolveBilling(state: BillingState, event: BillingEvent): BillingState {
  switch (event.type) {
    case 'PaymentCustomerLinked':
      return {
        ...state,
        stripeCustomerId: event.data.stripeCustomerId,
        formerCustomerIds:
          state.stripeCustomerId === null
            ? state.formerCustomerIds
            : [...state.formerCustomerIds, state.stripeCustomerId],
      }
    case 'CheckoutStarted': {
      const { checkoutId: text, lapsesAt, ...terms } = event.data
      const checkoutId = parseCheckoutId(text)
      return { ...state, openCheckout: { checkoutId, terms, lapsesAt, session: null } }
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
      return closeCheckout(state, parseCheckoutId(event.data.checkoutId))
    case 'SubscriptionStarted': {
      const {
        subscriptionId,
        stripeSubscriptionId,
        status,
        currentPeriodStart,
        currentPeriodEnd,
        ...terms
      } = event.data
      return withSubscription(state, {
        kind: 'started',
        subscriptionId: parseSubscriptionId(subscriptionId),
        stripeSubscriptionId,
        status,
        terms,
        currentPeriodStart,
        currentPeriodEnd,
        cancelAt: null,
        statusChanges: 0,
        planChanges: 0,
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
    case 'PlanChanged': {
      const { subscriptionId, to, currentPeriodStart, currentPeriodEnd } = event.data
      return changeSubscription(state, subscriptionId, (known) => ({
        ...known,
        terms: to,
        currentPeriodStart,
        currentPeriodEnd,
        planChanges: known.planChanges + 1,
      }))
    }
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
    case 'SubscriptionEnded': {
      const { endedAt, why } = event.data
      const { subscriptionId, stripeSubscriptionId } = knownSubscription(
        state,
        event.data.subscriptionId,
      )
      return withSubscription(state, {
        kind: 'ended',
        subscriptionId,
        stripeSubscriptionId,
        endedAt,
        why,
      })
    }
    case 'PaymentSucceeded':
      return withInvoice(state, event.data.invoiceId, { kind: 'paid' })
    case 'PaymentFailed': {
      const { invoiceId, attempt } = event.data
      return withInvoice(state, invoiceId, { kind: 'failed', attempt })
    }
    default:
      return unreachable(event)
  }
}

function closeCheckout(state: BillingState, checkoutId: CheckoutId): BillingState {
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

/**
 * Changes a started subscription. An event about an ended subscription changes nothing: the end is
 * final.
 */
function changeSubscription(
  state: BillingState,
  subscriptionId: string,
  change: (known: StartedSubscription) => StartedSubscription,
): BillingState {
  const known = knownSubscription(state, subscriptionId)
  switch (known.kind) {
    case 'started':
      return withSubscription(state, change(known))
    case 'ended':
      return state
    default:
      return unreachable(known)
  }
}

/** @throws Error if the stream has no SubscriptionStarted of this subscription. */
function knownSubscription(state: BillingState, subscriptionId: string): SubscriptionState {
  const known = state.subscriptions.get(parseSubscriptionId(subscriptionId))
  if (!known)
    throw new Error(
      `The billing stream has no SubscriptionStarted of subscription ${subscriptionId} before another event of it. The stream is damaged: run npm run billing -- events verify.`,
    )
  return known
}

function withInvoice(state: BillingState, invoiceId: string, outcome: InvoiceState): BillingState {
  return { ...state, invoices: new Map(state.invoices).set(invoiceId, outcome) }
}
