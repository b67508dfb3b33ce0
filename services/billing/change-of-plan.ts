import type { PlanOptionsResponse } from '#contracts/checkout'
import { intervalText } from '#contracts/billing-interval'
import { toMajorUnits } from '#contracts/currency'
import { plans, type PlanDefinition, type PlanId } from '#contracts/plans'
import type { Subscription } from '#contracts/purchases'
import { isLive, isUnpaid } from '#contracts/subscription-status'
import type { StartedSubscription } from './subscription-state.ts'

/** Why a subscription cannot move to another plan now. */
type Obstacle = 'unpaid' | 'incomplete' | 'paused' | 'canceling' | 'scheduled'

/** What the customer reads. Each sentence says what to do first. */
const sentences: Readonly<Record<Obstacle, string>> = {
  unpaid: 'A payment of your plan is unpaid. Pay it first, then change the plan.',
  incomplete:
    'The first payment of your plan is not complete. Complete it first, then change the plan.',
  paused: 'Your plan is paused. You can change it when it resumes.',
  canceling: 'Your plan is set to end. Keep it first, then change it.',
  scheduled:
    'A change of your plan is scheduled already. Drop it with Manage Plan first, then choose another plan.',
}

/** The plans that the customer of these subscriptions can move to. */
export function planOptionsOf(subscriptions: readonly Subscription[]): PlanOptionsResponse {
  const current = subscriptions.find(({ status }) => isLive(status))
  if (current === undefined) return { subscriptionId: null, obstacle: null, plans: [] }
  const obstacle = obstacleOf({
    status: current.status,
    isCanceling: current.will_cancel,
    hasPlannedChange: current.next_subscription_id !== null,
  })
  return {
    subscriptionId: current.subscription_id,
    obstacle: obstacle === null ? null : sentences[obstacle],
    plans: plans
      // A subscription keeps its currency.
      .filter(({ currency }) => currency === current.currency)
      .map((plan) => ({
        ...pricedPlan(plan),
        feeOnCustomerPayments: plan.features.feeOnCustomerPayments,
        isCurrent: plan.id === current.plan_id,
      })),
  }
}

/** Why this subscription cannot move to this plan, in a sentence; null if it can. */
export function whyNotTo(
  planId: PlanId,
  { terms, status, cancelAt, plannedChange }: StartedSubscription,
): string | null {
  if (terms.planId === planId) return 'You already have this plan.'
  const obstacle = obstacleOf({
    status,
    isCanceling: cancelAt !== null,
    hasPlannedChange: plannedChange !== null,
  })
  return obstacle === null ? null : sentences[obstacle]
}

/** The provider's portal changes no subscription with one of these obstacles. */
function obstacleOf({
  status,
  isCanceling,
  hasPlannedChange,
}: {
  readonly status: string
  readonly isCanceling: boolean
  readonly hasPlannedChange: boolean
}): Obstacle | null {
  if (isUnpaid(status)) return 'unpaid'
  if (status === 'incomplete') return 'incomplete'
  if (status === 'paused') return 'paused'
  if (isCanceling) return 'canceling'
  return hasPlannedChange ? 'scheduled' : null
}

/** A plan as the API shows it: its price in decimal major units. */
export function pricedPlan({
  id,
  name,
  amount,
  currency,
  interval,
  intervalCount,
}: PlanDefinition) {
  return {
    id,
    name,
    price: toMajorUnits(amount, currency),
    currency,
    interval: intervalText({ unit: interval, count: intervalCount }),
  }
}
