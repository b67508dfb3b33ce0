import type { SubscriptionTerms } from '#contracts/events/billing-parts'
import { textOfRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import { haveEqualPrice } from '#services/payments/equal-values'
import type { PlanAndPeriod } from '#services/payments/provider-change'
import type { Proration, ProviderSubscription } from '#services/payments/provider-state'
import type { StartedSubscription } from '../subscription-state.ts'
import type { Fact, Observed } from './fact.ts'
import { netOf } from './prorations.ts'

/** Another plan. `lines` are the proration lines of this change. */
export function planChangeFacts(
  known: StartedSubscription,
  to: PlanAndPeriod,
  observed: Observed,
  { seen, lines }: { readonly seen: ProviderSubscription; readonly lines: readonly Proration[] },
): Fact[] {
  if (haveEqualPrice(known.terms, to.terms)) return []
  const effectiveAt = observed.isInferred
    ? inferredTime(known, seen, lines, observed)
    : observed.changedAt
  const { subscriptionId, subscriptionRef, terms, changes } = known
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
        proration: netOf(lines, seen),
        prorationLines: lines.map(({ ref }) => ref),
        isInferred: observed.isInferred,
      },
      occurredAt: effectiveAt,
      fact: `${textOfRef(subscriptionRef)} plan ${changes.plan.count + 1} ${nameOfTerms(to.terms)}`,
    },
  ]
}

/**
 * Proration lines and a new period have the time of the plan change. The lines can be planned for a
 * time after the change was seen.
 */
function inferredTime(
  known: StartedSubscription,
  seen: ProviderSubscription,
  lines: readonly Proration[],
  { changedAt }: Observed,
): Instant {
  const latest = lines
    .map(({ at }) => at)
    .filter((at) => at <= changedAt)
    .sort()
    .at(-1)
  if (latest !== undefined) return latest
  return seen.currentPeriodStart > known.currentPeriodStart ? seen.currentPeriodStart : changedAt
}

export function nameOfTerms({ priceRef, quantity }: SubscriptionTerms): string {
  return `${textOfRef(priceRef)} × ${quantity}`
}
