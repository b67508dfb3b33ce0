import type { Instant } from '#contracts/instant'
import type { StartedStatus } from '#contracts/subscription-status'
import { noPaidTime, paidUntil, withPayment, type PaidPeriod } from '#projections/shared/paid-time'
import type { Plan } from './user.ts'

/** The end of the paid time, which may be past. Null before the first payment. */
export function expiryOf({ paidTime, endedAt }: Plan): Instant | null {
  return paidUntil(paidTime, endedAt)
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
    paidTime: noPaidTime,
    endedAt: null,
  }
  const before = plans.find((plan) => plan.key === key)
  return [...plans.filter((plan) => plan !== before), change(before ?? begun)]
}

/** The plan with a status of its subscription. An end is final: an ended plan does not change. */
export function withStatus(plan: Plan, status: StartedStatus): Plan {
  return plan.endedAt === null ? { ...plan, status } : plan
}

/**
 * The plans after a payment. An earlier period that arrives late does not change the name of the
 * plan.
 */
export function withPaidPlan(
  plans: readonly Plan[],
  paid: { readonly key: string; readonly id: string | null; readonly name: string | null },
  period: PaidPeriod,
): readonly Plan[] {
  return withPlan(plans, paid.key, (plan) => {
    const before = paidUntil(plan.paidTime, null)
    const isLate = before !== null && Date.parse(before) >= Date.parse(period.until)
    return {
      ...plan,
      ...(isLate ? {} : { id: paid.id ?? plan.id, name: paid.name ?? plan.name }),
      paidTime: withPayment(plan.paidTime, period),
    }
  })
}
