import type { SubscriptionStatus } from '#contracts/events/billing'

/** Whether a subscription in this status has come to its end: it is never charged or resumed again. */
export function isOver(status: SubscriptionStatus): boolean {
  return status === 'canceled' || status === 'incomplete_expired'
}

/** Whether it counts among the active subscriptions: begun, and not over, whatever its payments do. */
export function isLive(status: SubscriptionStatus): boolean {
  return !isOver(status) && status !== 'incomplete'
}
