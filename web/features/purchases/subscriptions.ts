import type { PaymentsResponse, Subscription } from '#contracts/purchases'
import type { Instant } from '#contracts/instant'
import { renewalBeforeEnd } from '#contracts/renewal-before-end'
import { hasEnded, isUnpaid } from '#contracts/subscription-status'

/**
 * Every subscription that has not ended, each once, the running ones before those that start later.
 * The lists overlap, because a plan change is in both until it takes effect.
 */
export function openSubscriptions(
  lists: Pick<PaymentsResponse, 'activeSubscriptions' | 'allSubscriptions'>,
): Subscription[] {
  const byId = new Map<string, Subscription>()
  for (const subscription of [...lists.activeSubscriptions, ...lists.allSubscriptions]) {
    if (!byId.has(subscription.subscription_id))
      byId.set(subscription.subscription_id, subscription)
  }
  return [...byId.values()]
    .filter(({ status }) => !hasEnded(status))
    .sort((one, other) => one.current_period_start.localeCompare(other.current_period_start))
}

/**
 * Whether the subscription is the new plan of a plan change and has not started. A running
 * subscription never starts later, also if its period begins after `now`: the clocks of the product
 * and of the provider differ.
 */
export const startsLater = (subscription: Subscription, now: Instant) =>
  subscription.status === 'scheduled' ||
  (isPlanChange(subscription) && subscription.current_period_start > now)

const isPlanChange = ({ is_plan_change, metadata }: Subscription) =>
  is_plan_change || metadata.is_plan_change

export const isCancelling = (subscription: Subscription) =>
  subscription.cancel_at_period_end || subscription.will_cancel

/** When the scheduled cancellation ends the subscription; null without one. */
export function endOf(subscription: Subscription): Instant | null {
  if (!isCancelling(subscription)) return null
  return subscription.cancel_at ?? subscription.current_period_end
}

/**
 * The due date of the next invoice; null while the subscription is paused, and if a scheduled
 * cancellation ends it before.
 */
export function nextBilling(subscription: Subscription): Instant | null {
  return subscription.status === 'paused'
    ? null
    : renewalBeforeEnd(subscription.current_period_end, endOf(subscription))
}

/** Whether the customer has to pay before the plan starts or continues. */
export const isOwing = ({ status, unpaid_invoices }: Subscription) =>
  unpaid_invoices.length > 0 || isUnpaid(status) || status === 'incomplete'
