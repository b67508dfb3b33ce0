import type { Instant } from '#contracts/instant'
import type { StartedStatus } from '#contracts/subscription-status'
import type { Plan } from './user.ts'

/** The end of the paid time, which may be past. Null before the first payment. */
export function expiryOf({ paidUntil, endedAt }: Plan): Instant | null {
  if (paidUntil === null || endedAt === null) return paidUntil
  return Date.parse(endedAt) < Date.parse(paidUntil) ? endedAt : paidUntil
}

/** The plans that expire after `now`. A plan that expires at `now` is not active. */
export function activePlans(plans: readonly Plan[], now: Date): readonly Plan[] {
  return plans.filter((plan) => {
    const expiry = expiryOf(plan)
    return expiry !== null && Date.parse(expiry) > now.getTime()
  })
}

/** The plans with `change` applied to the plan `key`. Adds the plan if it does not exist. */
export function withPlan(
  plans: readonly Plan[],
  key: string,
  change: (plan: Plan) => Plan,
): readonly Plan[] {
  const begun: Plan = {
    key,
    id: key,
    name: 'Subscription Plan',
    status: null,
    paidUntil: null,
    endedAt: null,
  }
  const before = plans.find((plan) => plan.key === key)
  return [...plans.filter((plan) => plan !== before), change(before ?? begun)]
}

/** The plan with a status of its subscription. An end is final: an ended plan does not change. */
export function withStatus(plan: Plan, status: StartedStatus): Plan {
  return plan.endedAt === null ? { ...plan, status } : plan
}

/** A shorter plan ends the paid time with its first period: the provider credited the rest. */
export function withPaidTimeUntil(plan: Plan, end: Instant): Plan {
  const isLonger = plan.paidUntil !== null && Date.parse(plan.paidUntil) > Date.parse(end)
  return isLonger ? { ...plan, paidUntil: end } : plan
}

/**
 * Extends the plan to the end of the paid period. An earlier period that arrives late changes
 * nothing.
 */
export function withPaidTime(
  plans: readonly Plan[],
  paid: { key: string; id: string | null; name: string | null; until: Instant },
): readonly Plan[] {
  const before = plans.find((plan) => plan.key === paid.key)
  if (before?.paidUntil && Date.parse(before.paidUntil) >= Date.parse(paid.until)) return plans
  return withPlan(plans, paid.key, (plan) => ({
    ...plan,
    id: paid.id ?? plan.id,
    name: paid.name ?? plan.name,
    paidUntil: paid.until,
  }))
}
