import type { BillingEvent } from '#contracts/events/billing'
import { textOfRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import type { Decided } from '#services/foundation/decider'
import { startedSubscriptions, type BillingState } from './billing-state.ts'
import { expiredFact } from './comparison/checkouts.ts'

/** Ends the billing of a blocked account in the product's own log, without a call. */
export interface EndBlocked {
  readonly type: 'end-blocked'
  readonly at: Instant
}

/**
 * Ends every started subscription. A reservation without a session is released: the click that
 * opens its session finds the reservation closed and expires the session. A reservation with a
 * session stays, because only the provider can close the session.
 */
export function endBlocked({ at }: EndBlocked, state: BillingState): Decided<BillingEvent>[] {
  const ends = startedSubscriptions(state).map(
    ({ subscriptionId, subscriptionRef }): Decided<BillingEvent> => ({
      type: 'SubscriptionEnded',
      data: { subscriptionId, why: 'blocked', endedAt: at },
      occurredAt: at,
      // The fact of every end: a subscription ends once, whatever ended it first.
      fact: `${textOfRef(subscriptionRef)} ended`,
    }),
  )
  const open = state.openCheckout
  return open !== null && open.session === null ? [...ends, expiredFact(open.checkoutId, at)] : ends
}
