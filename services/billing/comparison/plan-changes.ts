import type { Instant } from '#contracts/instant'
import type { Money } from '#contracts/money'
import type {
  ProviderSubscription,
  StartedProviderSubscription,
} from '#services/payments/provider-state'
import { haveEqualPrice, type StartedSubscription } from '../subscription-state.ts'
import type { Fact } from './fact.ts'

/**
 * A new plan, or else a new period. A plan change can shorten the period: the provider starts a new
 * period when the interval changes.
 */
export function planFacts(
  known: StartedSubscription,
  seen: ProviderSubscription,
  seenAt: Instant,
): Fact[] {
  const { subscriptionId, terms } = known
  const { stripeSubscriptionId: id, currentPeriodStart, currentPeriodEnd } = seen
  if (!haveEqualPrice(terms, seen.terms)) {
    const { priceId, quantity } = seen.terms
    const startsPeriod = currentPeriodStart > known.currentPeriodStart
    const proration = prorationOf(known, seen)
    return [
      {
        type: 'PlanChanged',
        data: {
          subscriptionId,
          from: terms,
          to: seen.terms,
          effectiveAt: proration?.at ?? (startsPeriod ? currentPeriodStart : seenAt),
          currentPeriodStart,
          currentPeriodEnd,
          proration: proration?.sum ?? null,
        },
        occurredAt: proration?.at ?? seenAt,
        fact: `${id} plan ${known.changes.plan + 1} ${priceId} × ${quantity}`,
      },
    ]
  }
  if (currentPeriodEnd <= known.currentPeriodEnd) return []
  return [
    {
      type: 'SubscriptionRenewed',
      data: { subscriptionId, currentPeriodStart, currentPeriodEnd },
      occurredAt: currentPeriodStart,
      fact: `${id} period_end ${currentPeriodEnd}`,
    },
  ]
}

/**
 * The proration lines that no earlier change recorded, and the time of the latest line. Lines never
 * disappear, so the difference of the sums is this change's share. Null without a new line.
 */
function prorationOf(
  { planSince, prorated }: StartedSubscription,
  { prorations, terms }: ProviderSubscription,
): { readonly at: Instant; readonly sum: Money } | null {
  const sum = prorations.reduce((total, { amount }) => total + amount, 0) - prorated
  const latest = prorations.reduce((last, { at }) => (at > last ? at : last), '')
  if (sum === 0 && latest <= planSince) return null
  return { at: latest, sum: { amount: sum, currency: terms.price.currency } }
}

/**
 * A plan change that a schedule plans. The change that takes effect is a fact of `planFacts`, which
 * precedes these facts and already clears the plan.
 */
export function plannedChangeFacts(
  { subscriptionId, terms, plannedChange: known, changes }: StartedSubscription,
  seen: StartedProviderSubscription,
  seenAt: Instant,
): Fact[] {
  const hasTakenEffect = known !== null && haveEqualPrice(known.terms, seen.terms)
  const expected = hasTakenEffect ? null : known
  const planned = seen.plannedChange
  const nth = `${seen.stripeSubscriptionId} planned change ${changes.plannedChange + 1}`
  if (planned === null) {
    if (expected === null) return []
    return [
      {
        type: 'PlanChangeDropped',
        data: { subscriptionId },
        occurredAt: seenAt,
        fact: `${nth} dropped`,
      },
    ]
  }
  const isKnown =
    expected !== null &&
    expected.effectiveAt === planned.effectiveAt &&
    haveEqualPrice(expected.terms, planned.terms)
  if (isKnown) return []
  const { effectiveAt, terms: to } = planned
  return [
    {
      type: 'PlanChangeScheduled',
      data: {
        subscriptionId,
        from: haveEqualPrice(terms, seen.terms) ? terms : seen.terms,
        to,
        effectiveAt,
      },
      occurredAt: seenAt,
      fact: `${nth} ${to.priceId} × ${to.quantity} at ${effectiveAt}`,
    },
  ]
}
