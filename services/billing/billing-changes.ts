import { isDeepStrictEqual } from 'node:util'
import type { BillingChange } from '#contracts/billing-change'
import { toMajorUnits } from '#contracts/currency'
import type { BillingEvent } from '#contracts/events/billing'
import { paymentMethodText } from '#contracts/payment-method-text'
import { renewalBeforeEnd } from '#contracts/renewal-before-end'
import { haveEqualPlannedChange, haveEqualPrice } from '#services/payments/equal-values'
import type { BillingState } from './billing-state.ts'
import { evolveBilling } from './evolve-billing.ts'
import type { StartedSubscription, SubscriptionState } from './subscription-state.ts'

/** What `events` changed for the customer since the state `before`. */
export function billingChanges(
  before: BillingState,
  events: readonly BillingEvent[],
): readonly BillingChange[] {
  const after = events.reduce(evolveBilling, before)
  return [
    ...payments(events),
    ...[...before.subscriptions.values()].flatMap((known) =>
      known.kind === 'started'
        ? subscriptionChanges(known, after.subscriptions.get(known.subscriptionId) ?? known)
        : [],
    ),
    ...methodChange(before, after),
    ...detailsChange(before, after),
  ]
}

function payments(events: readonly BillingEvent[]): readonly BillingChange[] {
  return events.flatMap((event): BillingChange[] => {
    if (event.type !== 'PaymentSucceeded' || event.data.amounts.paid === 0) return []
    const { paid, currency } = event.data.amounts
    return [{ kind: 'paid', amount: toMajorUnits(paid, currency), currency }]
  })
}

function subscriptionChanges(
  before: StartedSubscription,
  after: SubscriptionState,
): readonly BillingChange[] {
  const from = before.terms.planName
  if (after.kind === 'ended') return [{ kind: 'ended', plan: from }]
  const plan = after.terms.planName
  return [
    ...(haveEqualPrice(before.terms, after.terms)
      ? []
      : [{ kind: 'plan-changed', from, to: plan } as const]),
    ...plannedChange(before, after),
    ...cancellation(before, after),
  ]
}

function plannedChange(
  before: StartedSubscription,
  after: StartedSubscription,
): readonly BillingChange[] {
  const { plannedChange: planned, terms } = after
  if (haveEqualPlannedChange(before.plannedChange, planned)) return []
  if (planned !== null) {
    const { terms: to, effectiveAt: starts_at } = planned
    return [{ kind: 'plan-change-scheduled', from: terms.planName, to: to.planName, starts_at }]
  }
  const tookEffect =
    before.plannedChange !== null && haveEqualPrice(before.plannedChange.terms, terms)
  return tookEffect ? [] : [{ kind: 'plan-change-dropped', plan: terms.planName }]
}

function cancellation(
  before: StartedSubscription,
  { terms, cancelAt, currentPeriodEnd }: StartedSubscription,
): readonly BillingChange[] {
  if (before.cancelAt === cancelAt) return []
  const plan = terms.planName
  if (cancelAt === null) return [{ kind: 'cancellation-withdrawn', plan }]
  const renews_at = renewalBeforeEnd(currentPeriodEnd, cancelAt)
  return [{ kind: 'cancellation-scheduled', plan, ends_at: cancelAt, renews_at }]
}

/** A first known means is no change: the product learned it. */
function methodChange(before: BillingState, after: BillingState): readonly BillingChange[] {
  if (before.method === null || after.method === null) return []
  if (isDeepStrictEqual(before.method, after.method)) return []
  const { current } = after.method
  const method = current === null ? null : paymentMethodText(current)
  return [{ kind: 'payment-method', method }]
}

function detailsChange(before: BillingState, after: BillingState): readonly BillingChange[] {
  if (before.billed === null || isDeepStrictEqual(before.billed, after.billed)) return []
  return [{ kind: 'billing-details' }]
}
