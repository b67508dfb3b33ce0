import type { Instant } from '#contracts/instant'
import type { ProviderHistory } from '#services/payments/provider-change'
import type { ProviderCheckout, ProviderState } from '#services/payments/provider-state'
import type { BillingState } from '../billing-state.ts'
import type { Fact } from './fact.ts'

/**
 * The facts about the open checkout. A session whose answer was lost is found here by its checkout
 * id. Only the recorded session's expiry releases a reservation with a session.
 */
export function checkoutFacts(
  state: BillingState,
  { checkouts, subscriptions, history }: ProviderState,
  seenAt: Instant,
): Fact[] {
  const open = state.openCheckout
  if (open === null) return []
  const { checkoutId } = open
  const own = checkouts.filter((each) => each.checkoutId === checkoutId)
  const complete = own.find(({ status }) => status === 'complete')
  if (complete !== undefined) {
    const { sessionId, stripeSubscriptionId } = complete
    const started = subscriptions.find((each) => each.stripeSubscriptionId === stripeSubscriptionId)
    return [
      {
        type: 'CheckoutCompleted',
        data: { checkoutId, sessionId },
        // The completion creates the subscription.
        occurredAt: closedAt(history, complete) ?? started?.startedAt ?? seenAt,
        fact: `${sessionId} completed`,
      },
    ]
  }
  const session =
    open.session === null
      ? (own.find(({ status }) => status === 'open') ?? own.at(-1))
      : own.find(({ sessionId }) => sessionId === open.session?.sessionId)
  if (session === undefined) return []
  if (session.status === 'expired')
    return [expiredFact(checkoutId, closedAt(history, session) ?? seenAt)]
  return open.session === null ? [sessionOpenedFact(session, session.openedAt)] : []
}

/** When the session got its present status, by the provider's events; undefined without one. */
function closedAt(
  { checkouts }: ProviderHistory,
  { sessionId, status }: ProviderCheckout,
): Instant | undefined {
  return checkouts[sessionId]?.find(({ value }) => value === status)?.at
}

export function sessionOpenedFact(
  {
    checkoutId,
    sessionId,
    expiresAt,
  }: Pick<ProviderCheckout, 'checkoutId' | 'sessionId' | 'expiresAt'>,
  occurredAt: Instant,
): Fact {
  return {
    type: 'CheckoutSessionOpened',
    data: { checkoutId, sessionId, expiresAt },
    occurredAt,
    fact: `${checkoutId} session ${sessionId}`,
  }
}

export function expiredFact(checkoutId: string, occurredAt: Instant): Fact {
  return {
    type: 'CheckoutExpired',
    data: { checkoutId },
    occurredAt,
    fact: `${checkoutId} expired`,
  }
}
