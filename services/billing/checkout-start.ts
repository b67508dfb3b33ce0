import type { BillingEvent } from '#contracts/events/billing'
import type { SubscriptionTerms } from '#contracts/events/billing-parts'
import type { CheckoutId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { accepted, refused, type Decision } from '#services/foundation/decider'
import type { ProviderCheckout, ProviderState } from '#services/payments/provider-state'
import {
  isSecondSubscriptionBlocked,
  type BillingState,
  type OpenCheckout,
} from './billing-state.ts'
import { evolveBilling } from './evolve-billing.ts'
import { expiredFact } from './comparison/checkouts.ts'
import { reconcile } from './reconcile.ts'

export interface StartCheckout {
  readonly type: 'start-checkout'
  readonly checkoutId: CheckoutId
  readonly terms: SubscriptionTerms
  /** Read after the stream was loaded. */
  readonly isBlocked: boolean
  /** Fetched after the stream was loaded. */
  readonly providerState: ProviderState
  readonly at: Instant
}

export type StartRefusal =
  | { readonly kind: 'blocked' }
  | { readonly kind: 'already-subscribed' }
  /**
   * The provider has open sessions that do not belong to the open checkout. The caller expires the
   * sessions at the provider and tries again.
   */
  | { readonly kind: 'sessions-left-open'; readonly sessions: readonly ProviderCheckout[] }
  /**
   * A checkout of another plan is open. The caller expires that checkout at the provider and tries
   * again.
   */
  | { readonly kind: 'other-checkout-open'; readonly open: OpenCheckout }

/**
 * Longer than all attempts of one click to open a session (three of 5 s each), so that a second
 * click joins the first click. Shorter than 24 h, for which the provider repeats a saved error
 * under the same idempotency key.
 */
const lapseMs = 10 * 60_000

/**
 * Reserves the one open checkout, or continues the open checkout of the same plan. Records first
 * what happened at the provider: a payment blocks the new checkout, an ended subscription does not.
 * If a recorded fact prevents the start, only the facts are accepted, and the caller decides again.
 */
export function decideCheckoutStart(
  { checkoutId, terms, isBlocked, providerState, at }: StartCheckout,
  state: BillingState,
): Decision<BillingEvent, StartRefusal> {
  const facts = reconcile(state, providerState, at)
  const current = facts.reduce(evolveBilling, state)
  const open = current.openCheckout
  // A reservation's id is an idempotency key: the key of a closed checkout returns its old session.
  if (current.closedCheckouts.has(checkoutId)) return accepted<BillingEvent>(...facts)
  const refusal: StartRefusal | null = isBlocked
    ? { kind: 'blocked' }
    : refusalOf(current, providerState, terms, at)
  if (refusal !== null)
    return facts.length > 0 ? accepted<BillingEvent>(...facts) : refused(refusal)
  // The subscription of a checkout that completes during the fetch can be missing in this answer.
  if (facts.some(({ type }) => type === 'CheckoutCompleted'))
    return accepted<BillingEvent>(...facts)
  const isOwn = open?.checkoutId === checkoutId
  if (open !== null && (isOwn || !hasLapsed(open, at))) return accepted<BillingEvent>(...facts)
  return accepted<BillingEvent>(
    ...facts,
    ...(open === null ? [] : [expiredFact(open.checkoutId, at)]),
    {
      type: 'CheckoutStarted',
      data: {
        checkoutId,
        lapsesAt: new Date(Date.parse(at) + lapseMs).toISOString(),
        ...terms,
      },
      occurredAt: at,
    },
  )
}

function refusalOf(
  state: BillingState,
  { checkouts }: ProviderState,
  terms: SubscriptionTerms,
  at: Instant,
): StartRefusal | null {
  if (isSecondSubscriptionBlocked(state)) return { kind: 'already-subscribed' }
  const sessions = sessionsLeftOpen(state, checkouts)
  if (sessions.length > 0) return { kind: 'sessions-left-open', sessions }
  const open = state.openCheckout
  if (open === null || hasLapsed(open, at) || open.terms.priceRef === terms.priceRef) return null
  return { kind: 'other-checkout-open', open }
}

/** The open sessions that do not belong to the open checkout. A customer could pay them as well. */
export function sessionsLeftOpen(
  { openCheckout: open }: BillingState,
  checkouts: readonly ProviderCheckout[],
): readonly ProviderCheckout[] {
  return checkouts.filter(({ status, checkoutId, sessionRef }) => {
    const isOwn =
      checkoutId === open?.checkoutId &&
      (open.session === null || open.session.sessionRef === sessionRef)
    return status === 'open' && !isOwn
  })
}

/**
 * Only a reservation without a session lapses. The release is safe at any time: a browser receives
 * the address of a session only after the session was recorded on its open reservation, so no
 * customer can pay a session that appears later. The next start expires that session.
 */
function hasLapsed(open: OpenCheckout, at: Instant): boolean {
  return open.session === null && open.lapsesAt <= at
}
