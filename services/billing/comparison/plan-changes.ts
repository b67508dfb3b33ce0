import type { Instant } from '#contracts/instant'
import { haveEqualPrice } from '#services/payments/equal-price'
import type {
  PlanAndPeriod,
  PlanStep,
  ProviderSubscription,
  StartedProviderSubscription,
} from '#services/payments/provider-state'
import type { StartedSubscription } from '../subscription-state.ts'
import type { Fact } from './fact.ts'
import { hasNewProrations, unrecordedProration } from './prorations.ts'

/**
 * New plans, then a new period. A plan change can shorten the period: the provider starts a new
 * period when the interval changes.
 */
export function planFacts(
  known: StartedSubscription,
  seen: ProviderSubscription,
  seenAt: Instant,
): Fact[] {
  const changes = planChangeFacts(known, seen, seenAt)
  const last = changes.at(-1)
  const knownEnd =
    last?.type === 'PlanChanged' ? last.data.currentPeriodEnd : known.currentPeriodEnd
  const { stripeSubscriptionId: id, currentPeriodStart, currentPeriodEnd } = seen
  if (currentPeriodEnd <= knownEnd) return changes
  return [
    ...changes,
    {
      type: 'SubscriptionRenewed',
      data: { subscriptionId: known.subscriptionId, currentPeriodStart, currentPeriodEnd },
      occurredAt: currentPeriodStart,
      fact: `${id} period_end ${currentPeriodEnd}`,
    },
  ]
}

/**
 * Whether the provider's events are needed to compare the plans: the plan is another one, or
 * prorations show that it was another one in between. `known` is undefined for a subscription
 * without events.
 */
export function needsPlanSteps(
  known: StartedSubscription | undefined,
  seen: ProviderSubscription,
): boolean {
  if (known === undefined) return seen.prorations.length > 0
  return !haveEqualPrice(known.terms, seen.terms) || hasNewProrations(known, seen)
}

/** The plan that the subscription began with, as far as the provider's events show it. */
export function firstPlan(seen: ProviderSubscription): PlanAndPeriod {
  return seen.planSteps[0]?.from ?? seen
}

/**
 * One change per step that the provider's events report. If the events do not lead from the known
 * plan to the present plan, one net change that is marked as inferred.
 */
function planChangeFacts(
  known: StartedSubscription,
  seen: ProviderSubscription,
  seenAt: Instant,
): Fact[] {
  if (!needsPlanSteps(known, seen)) return []
  const { stripeSubscriptionId: id } = seen
  const steps = stepsTo(known, seen)
  if (steps === null) {
    if (haveEqualPrice(known.terms, seen.terms)) return []
    const proration = unrecordedProration(known.prorated, seen, null)
    const startsPeriod = seen.currentPeriodStart > known.currentPeriodStart
    const at = proration?.at ?? (startsPeriod ? seen.currentPeriodStart : seenAt)
    return [
      changedFact(
        known,
        { at, from: known, to: seen },
        {
          proration: proration?.sum ?? null,
          isInferred: true,
          fact: `${id} plan ${known.changes.plan + 1} ${nameOf(seen)}`,
        },
      ),
    ]
  }
  let recorded = known.prorated
  return steps.map((step, index) => {
    const isLast = index === steps.length - 1
    const proration = unrecordedProration(recorded, seen, isLast ? null : step.at)
    recorded += proration?.sum.amount ?? 0
    return changedFact(known, step, {
      proration: proration?.sum ?? null,
      isInferred: false,
      fact: `${id} plan ${known.changes.plan + 1 + index} ${nameOf(step.to)}`,
    })
  })
}

function nameOf({ terms: { priceId, quantity } }: Pick<PlanAndPeriod, 'terms'>): string {
  return `${priceId} × ${quantity}`
}

/**
 * The steps from the known plan to the present plan; null if the events do not connect them. The
 * provider dates events by the second, so a step is chosen by its plans, not only by its time.
 */
function stepsTo(
  known: StartedSubscription,
  { terms, planSteps }: ProviderSubscription,
): readonly PlanStep[] | null {
  const remaining = planSteps.filter(({ at }) => at >= known.planSince)
  const steps: PlanStep[] = []
  let current: PlanAndPeriod = known
  for (;;) {
    const next = remaining.findIndex(({ from }) => haveEqualPrice(from.terms, current.terms))
    if (next === -1) break
    // The steps before it belong to plans that the stream already has.
    const step = remaining.splice(0, next + 1).at(-1)
    if (step === undefined) break
    steps.push({ ...step, from: current })
    current = step.to
  }
  return steps.length > 0 && haveEqualPrice(current.terms, terms) ? steps : null
}

function changedFact(
  { subscriptionId }: StartedSubscription,
  { at, from, to }: PlanStep,
  {
    proration,
    isInferred,
    fact,
  }: Pick<Extract<Fact, { type: 'PlanChanged' }>['data'], 'proration' | 'isInferred'> & {
    readonly fact: string
  },
): Fact {
  return {
    type: 'PlanChanged',
    data: {
      subscriptionId,
      from: from.terms,
      to: to.terms,
      effectiveAt: at,
      currentPeriodStart: to.currentPeriodStart,
      currentPeriodEnd: to.currentPeriodEnd,
      proration,
      isInferred,
    },
    occurredAt: at,
    fact,
  }
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
  // A phase with the present price changes something else, such as a discount.
  const isChange =
    seen.plannedChange !== null && !haveEqualPrice(seen.plannedChange.terms, seen.terms)
  const planned = isChange ? seen.plannedChange : null
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
      fact: `${nth} ${nameOf(planned)} at ${effectiveAt}`,
    },
  ]
}
