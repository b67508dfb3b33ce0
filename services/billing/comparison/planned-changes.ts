import type { SubscriptionTerms } from '#contracts/events/billing-parts'
import { textOfRef } from '#contracts/events/provider-ref'
import { haveEqualPlannedChange, haveEqualPrice } from '#services/payments/equal-values'
import type { PlannedChange } from '#services/payments/provider-change'
import type { StartedSubscription } from '../subscription-state.ts'
import type { Fact, Observed } from './fact.ts'
import { nameOfTerms } from './plan-changes.ts'

/**
 * A plan change that a schedule plans, or null for none. A plan change that takes effect clears the
 * planned change itself.
 */
export function plannedChangeFacts(
  { subscriptionId, subscriptionRef, terms, plannedChange: known, changes }: StartedSubscription,
  seen: PlannedChange | null,
  observed: Observed,
): Fact[] {
  const to = otherPlan(seen, terms)
  if (haveEqualPlannedChange(known, to)) return []
  const nth = `${textOfRef(subscriptionRef)} planned change ${changes.plannedChange.count + 1}`
  const occurredAt = observed.changedAt
  if (to === null) {
    // The schedule reports the start of its phase before or after the subscription's new plan.
    const isDue = !observed.isInferred && known !== null && known.effectiveAt <= occurredAt
    return isDue
      ? []
      : [
          {
            type: 'PlanChangeDropped',
            data: { subscriptionId, ...observed },
            occurredAt,
            fact: `${nth} dropped`,
          },
        ]
  }
  const { effectiveAt } = to
  return [
    {
      type: 'PlanChangeScheduled',
      data: { subscriptionId, from: terms, to: to.terms, effectiveAt, ...observed },
      occurredAt,
      fact: `${nth} ${nameOfTerms(to.terms)} at ${effectiveAt}`,
    },
  ]
}

/** Null for a phase with the present price: it changes something else, such as a discount. */
export function otherPlan(
  planned: PlannedChange | null,
  terms: SubscriptionTerms,
): PlannedChange | null {
  return planned === null || haveEqualPrice(planned.terms, terms) ? null : planned
}
