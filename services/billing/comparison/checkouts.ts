import type { Instant } from '#contracts/instant'
import type { ProviderCheckout } from '#services/payments/provider-state'
import type { BillingState } from '../billing-state.ts'
import type { Fact } from './fact.ts'

/**
 * The facts about the open checkout. A session whose answer was lost is found here by its checkout
 * id. Only the recorded session's expiry releases a reservation with a session.
 */
export function checkoutFacts(state: BillingState, checkouts: readonly ProviderCheckout[]): Fact[] {
  const open = state.openCheckout
  if (open === null) return []
  const { checkoutId } = open
  const own = checkouts.filter((each) => each.checkoutId === checkoutId)
  const complete = own.find(({ status }) => status === 'complete')
  if (complete !== undefined) {
    const { sessionId, at: occurredAt } = complete
    return [
      {
        type: 'CheckoutCompleted',
        data: { checkoutId, sessionId },
        occurredAt,
        fact: `${sessionId} completed`,
      },
    ]
  }
  const session =
    open.session === null
      ? (own.find(({ status }) => status === 'open') ?? own.at(-1))
      : own.find(({ sessionId }) => sessionId === open.session?.sessionId)
  if (session === undefined) return []
  if (session.status === 'expired') return [expiredFact(checkoutId, session.at)]
  return open.session === null ? [sessionOpenedFact(session, session.at)] : []
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
