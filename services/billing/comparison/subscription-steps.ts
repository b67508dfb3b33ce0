import type { Instant } from '#contracts/instant'
import {
  haveEqualPlannedChange,
  haveEqualPrice,
  haveEqualStanding,
} from '#services/payments/equal-values'
import type {
  Change,
  PlanAndPeriod,
  PlannedChange,
  Standing,
  SubscriptionHistory,
  SubscriptionParts,
} from '#services/payments/provider-change'
import type {
  ProviderSubscription,
  StartedProviderSubscription,
} from '#services/payments/provider-state'
import type { StartedSubscription } from '../subscription-state.ts'
import { pathOf } from './history-path.ts'
import { otherPlan } from './planned-changes.ts'

/** One change of a part of a subscription. */
export type SubscriptionStep = {
  [Part in keyof SubscriptionParts]: { readonly part: Part } & Change<SubscriptionParts[Part]>
}[keyof SubscriptionParts]

/**
 * The changes of all parts that lead from the recorded subscription to the present subscription,
 * oldest first. Of changes at the same time, the plan changes first: a planned change that takes
 * effect clears its plan.
 */
export function subscriptionSteps(
  known: StartedSubscription,
  seen: ProviderSubscription,
  history: SubscriptionHistory,
): readonly SubscriptionStep[] {
  const paths = pathsOf(known, seen, history)
  const steps: SubscriptionStep[] = [
    ...paths.plan.map((change) => ({ part: 'plan' as const, ...change })),
    ...paths.plannedChange.map((each) => ({ part: 'plannedChange' as const, ...each })),
    ...paths.cancellation.map((each) => ({ part: 'cancellation' as const, ...each })),
    ...paths.standing.map((each) => ({ part: 'standing' as const, ...each })),
  ]
  return steps.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

function pathsOf(
  known: StartedSubscription,
  seen: ProviderSubscription,
  history: SubscriptionHistory,
) {
  const present = seen.kind === 'started' ? seen : null
  const since = (part: keyof SubscriptionParts) => known.changes[part].lastAt
  return {
    plan: pathOf<PlanAndPeriod>(
      history.plan,
      { from: known, since: since('plan'), to: { value: seen } },
      haveEqualPlan,
    ),
    plannedChange: pathOf<PlannedChange | null>(
      history.plannedChange,
      {
        from: known.plannedChange,
        since: since('plannedChange'),
        to: present && { value: otherPlan(present.plannedChange, present.terms) },
      },
      haveEqualPlannedChange,
    ),
    cancellation: pathOf<Instant | null>(
      history.cancellation,
      {
        from: known.cancelAt,
        since: since('cancellation'),
        to: present && { value: present.cancelAt },
      },
      (a, b) => a === b,
    ),
    standing: pathOf<Standing>(
      history.standing,
      { from: known, since: since('standing'), to: present && { value: standingOf(present) } },
      haveEqualStanding,
    ),
  }
}

export function standingOf({ status, pause }: StartedProviderSubscription): Standing {
  return pause === null ? { status, resumesAt: null } : { status: 'paused', ...pause }
}

function haveEqualPlan(a: PlanAndPeriod, b: PlanAndPeriod): boolean {
  return haveEqualPrice(a.terms, b.terms)
}
