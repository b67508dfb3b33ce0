import {
  haveEqualPlannedChange,
  haveEqualPrice,
  haveEqualStanding,
} from '#services/payments/equal-values'
import type {
  PresentState,
  ProviderSubscription,
  StartedProviderSubscription,
} from '#services/payments/provider-state'
import type { BillingState } from '../billing-state.ts'
import { disputeIdOf, refundIdOf, subscriptionIdOf } from '../product-ids.ts'
import type { StartedSubscription } from '../subscription-state.ts'
import { otherPlan } from './planned-changes.ts'
import { hasNewProrations } from './prorations.ts'
import { standingOf } from './subscription-steps.ts'

/**
 * Whether the provider's events are needed to compare: an object differs in a part that can have
 * changed more than once, or whose change has no time of its own.
 */
export function needsHistory(state: BillingState, seen: PresentState): boolean {
  return (
    hasExpired(state, seen) ||
    seen.subscriptions.some((each) => hasChanged(state, each)) ||
    seen.refunds.some(({ refundRef, status }) => {
      const known = state.refunds.get(refundIdOf(refundRef))
      return known?.status !== status
    }) ||
    seen.disputes.some(({ disputeRef, kind, outcome }) => {
      const known = state.disputes.get(disputeIdOf(disputeRef))
      if (known === undefined) return true
      return known.isOpen && (outcome !== null || known.kind !== kind)
    })
  )
}

/** The provider dates only the planned expiry of a session, and can close it earlier. */
function hasExpired({ openCheckout }: BillingState, { checkouts }: PresentState): boolean {
  return checkouts.some(
    ({ checkoutId, status }) => status === 'expired' && checkoutId === openCheckout?.checkoutId,
  )
}

function hasChanged({ subscriptions }: BillingState, seen: ProviderSubscription): boolean {
  const known = subscriptions.get(subscriptionIdOf(seen.subscriptionRef))
  if (known === undefined) return !isNew(seen)
  return known.kind === 'started' && (seen.kind === 'ended' || differs(known, seen))
}

/** In its first period, with nothing changed since its start. */
function isNew(seen: ProviderSubscription): boolean {
  return (
    seen.kind === 'started' &&
    seen.currentPeriodStart <= seen.startedAt &&
    seen.prorations.length === 0 &&
    seen.plannedChange === null &&
    seen.cancelAt === null &&
    seen.pause === null &&
    ['incomplete', 'trialing', 'active'].includes(seen.status)
  )
}

function differs(known: StartedSubscription, seen: StartedProviderSubscription): boolean {
  return (
    !haveEqualPrice(known.terms, seen.terms) ||
    hasNewProrations(known, seen) ||
    !haveEqualPlannedChange(known.plannedChange, otherPlan(seen.plannedChange, seen.terms)) ||
    known.cancelAt !== seen.cancelAt ||
    !haveEqualStanding(known, standingOf(seen))
  )
}
