import type { SubscriptionTerms } from '#contracts/events/billing-parts'
import type { Instant } from '#contracts/instant'
import { haveEqualPrice } from '#services/payments/equal-values'
import type { PlanAndPeriod } from '#services/payments/provider-change'
import type { ProviderSubscription } from '#services/payments/provider-state'
import type { StartedSubscription } from '../subscription-state.ts'
import type { Fact, Observed } from './fact.ts'
import { unrecordedProration } from './prorations.ts'

/**
 * Another plan. The plan change gets the proration lines up to `until` that earlier plan changes
 * did not record; null for all lines.
 */
export function planChangeFacts(
  known: StartedSubscription,
  to: PlanAndPeriod,
  observed: Observed,
  { seen, until }: { readonly seen: ProviderSubscription; readonly until: Instant | null },
): Fact[] {
  if (haveEqualPrice(known.terms, to.terms)) return []
  const proration = unrecordedProration(known.prorated, seen, until)
  const effectiveAt = observed.isInferred
    ? inferredTime(known, seen, proration, observed)
    : observed.changedAt
  const { subscriptionId, stripeSubscriptionId, terms, changes } = known
  const { currentPeriodStart, currentPeriodEnd } = to
  return [
    {
      type: 'PlanChanged',
      data: {
        subscriptionId,
        from: terms,
        to: to.terms,
        effectiveAt,
        currentPeriodStart,
        currentPeriodEnd,
        proration: proration?.sum ?? null,
        isInferred: observed.isInferred,
      },
      occurredAt: effectiveAt,
      fact: `${stripeSubscriptionId} plan ${changes.plan.count + 1} ${nameOfTerms(to.terms)}`,
    },
  ]
}

/** Proration lines and a new period have the time of the plan change. */
function inferredTime(
  known: StartedSubscription,
  seen: ProviderSubscription,
  proration: ReturnType<typeof unrecordedProration>,
  { changedAt }: Observed,
) {
  if (proration !== null) return proration.at
  return seen.currentPeriodStart > known.currentPeriodStart ? seen.currentPeriodStart : changedAt
}

export function nameOfTerms({ priceId, quantity }: SubscriptionTerms): string {
  return `${priceId} × ${quantity}`
}
