import { textOfRef } from '#contracts/events/provider-ref'
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
    const { sessionRef, subscriptionRef } = complete
    const started = subscriptions.find((each) => each.subscriptionRef === subscriptionRef)
    return [
      {
        type: 'CheckoutCompleted',
        data: { checkoutId, sessionRef },
        // The completion creates the subscription.
        occurredAt: closedAt(history, complete) ?? started?.startedAt ?? seenAt,
        fact: `${textOfRef(sessionRef)} completed`,
      },
    ]
  }
  const session =
    open.session === null
      ? (own.find(({ status }) => status === 'open') ?? own.at(-1))
      : own.find(({ sessionRef }) => sessionRef === open.session?.sessionRef)
  if (session === undefined) return []
  if (session.status === 'expired')
    return [expiredFact(checkoutId, closedAt(history, session) ?? seenAt)]
  return open.session === null ? [sessionOpenedFact(session, session.openedAt)] : []
}

/** When the session got its present status, by the provider's events; undefined without one. */
function closedAt(
  { checkouts }: ProviderHistory,
  { sessionRef, status }: ProviderCheckout,
): Instant | undefined {
  return checkouts.get(sessionRef)?.find(({ value }) => value === status)?.at
}

export function sessionOpenedFact(
  {
    checkoutId,
    sessionRef,
    expiresAt,
  }: Pick<ProviderCheckout, 'checkoutId' | 'sessionRef' | 'expiresAt'>,
  occurredAt: Instant,
): Fact {
  return {
    type: 'CheckoutSessionOpened',
    data: { checkoutId, sessionRef, expiresAt },
    occurredAt,
    fact: `${checkoutId} session ${textOfRef(sessionRef)}`,
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
