import type { SubscriptionTerms } from '#contracts/events/billing-parts'
import type { StartedStatus } from '#contracts/subscription-status'
import { unreachable } from '#services/foundation/decider'

/**
 * The monthly recurring revenue of a subscription with these terms while its status counts: price
 * times quantity per month. Minor units of the price's currency, rounded half away from zero. A
 * year has 12 months, 52 weeks and 365 days. Taxes, discounts and invoices change nothing.
 *
 * Source: Stripe, "Billing metric definitions", MRR: the monthly-normalized value of subscriptions
 * without taxes (https://docs.stripe.com/billing/subscriptions/analytics/glossary).
 */
export function mrrOf({ price, quantity, interval, intervalCount }: SubscriptionTerms): number {
  const [intervals, months] = intervalsPerMonths(interval)
  return dividedHalfAwayFromZero(
    BigInt(price.amount) * BigInt(quantity) * BigInt(intervals),
    BigInt(months) * BigInt(intervalCount),
  )
}

/** How many intervals are in how many months: 52 weeks are 12 months. */
function intervalsPerMonths(interval: SubscriptionTerms['interval']): readonly [number, number] {
  switch (interval) {
    case 'month':
      return [1, 1]
    case 'year':
      return [1, 12]
    case 'week':
      return [52, 12]
    case 'day':
      return [365, 12]
    default:
      return unreachable(interval)
  }
}

/** BigInt: price times quantity times 365 can exceed the safe integers. */
function dividedHalfAwayFromZero(dividend: bigint, divisor: bigint): number {
  const half = dividend < 0n ? -divisor : divisor
  return Number((2n * dividend + half) / (2n * divisor))
}

/**
 * Whether a subscription of this status has MRR. A trial, a pause and an unpaid subscription have
 * none.
 *
 * Source: Stripe, "Billing metric definitions": MRR counts active and past due subscriptions, and
 * a subscription that becomes canceled or unpaid is churn. Stripe's MRR also counts a subscription
 * whose collection is paused; here it counts nothing, because nothing is to be paid.
 */
export function hasMrr(status: StartedStatus): boolean {
  switch (status) {
    case 'active':
    case 'past_due':
      return true
    case 'trialing':
    case 'paused':
    case 'unpaid':
    case 'incomplete':
      return false
    default:
      return unreachable(status)
  }
}
