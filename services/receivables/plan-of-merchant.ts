import { plans, publicPlan } from '#contracts/plans'
import { isActive, type StartedStatus } from '#contracts/subscription-status'
import type { Merchant } from './merchant-access.ts'

/** What receivables needs to know of a subscription. */
interface Subscribed {
  readonly status: StartedStatus
  readonly terms: { readonly planId: string | null }
}

/**
 * The best of a merchant's plans, and its fee: active, trialing and past due allow everything. Of
 * two usable plans the lower fee counts.
 */
export function planOfMerchant(
  subscriptions: readonly Subscribed[],
): Pick<Merchant, 'plan' | 'feeBasisPoints'> {
  const usable = subscriptions.filter(({ status }) => isActive(status) || status === 'past_due')
  if (usable.length > 0)
    return {
      plan: 'usable',
      feeBasisPoints: Math.min(...usable.map(({ terms }) => feeOfPlan(terms.planId))),
    }
  const isPaused = subscriptions.some(({ status }) => status === 'paused')
  return { plan: isPaused ? 'paused' : 'none', feeBasisPoints: null }
}

/** A plan that the catalogue does not have pays the fee that the public pages name. */
function feeOfPlan(planId: string | null): number {
  const plan = plans.find(({ id }) => id === planId) ?? publicPlan
  return plan.feeBasisPoints
}
