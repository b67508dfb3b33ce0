import type { Deductions, SubscriptionTerms } from '#contracts/events/billing-parts'
import type { StartedStatus } from '#contracts/subscription-status'
import { unreachable } from '#services/foundation/decider'

/** The terms on which MRR depends. */
export type RecurringTerms = Pick<
  SubscriptionTerms,
  'price' | 'quantity' | 'interval' | 'intervalCount'
>

export function recurringTermsOf(terms: SubscriptionTerms): RecurringTerms {
  const { price, quantity, interval, intervalCount } = terms
  return { price, quantity, interval, intervalCount }
}

/**
 * The monthly recurring revenue of a subscription with these terms while its status counts: price
 * times quantity, less coupons without an end, less the included tax, per month. Minor units of the
 * price's currency. Each step is rounded half away from zero, as an invoice has it. A year has 12
 * months, 52 weeks and 365 days. A tax on top, other coupons and invoices change nothing.
 *
 * Source: Stripe, "Billing metric definitions", MRR: the monthly-normalized value of subscriptions
 * without taxes (https://docs.stripe.com/billing/subscriptions/analytics/glossary), and Stripe's
 * support, "Impact of discounts and coupons on Monthly Recurring Revenue (MRR) in Billing": a
 * coupon with the duration `forever` reduces MRR, and one that applies for some time does not.
 */
export function mrrOf(
  { price, quantity, interval, intervalCount }: RecurringTerms,
  deductions: Deductions,
): number {
  const [intervals, months] = intervalsPerMonths(interval)
  return Number(
    dividedHalfAwayFromZero(
      billedWithoutTax(BigInt(price.amount) * BigInt(quantity), deductions) * BigInt(intervals),
      BigInt(months) * BigInt(intervalCount),
    ),
  )
}

const whole = 1_000_000n

/** What an invoice of this amount has after the coupons and without the included tax. */
function billedWithoutTax(amount: bigint, { discounts, includedTax }: Deductions): bigint {
  let billed = amount
  for (const discount of discounts) {
    if (billed <= 0n) break
    billed -=
      discount.kind === 'share'
        ? dividedHalfAwayFromZero(billed * BigInt(discount.millionths), whole)
        : smallerOf(billed, BigInt(discount.amount))
  }
  const rate = BigInt(includedTax)
  return billed - dividedHalfAwayFromZero(billed * rate, whole + rate)
}

function smallerOf(a: bigint, b: bigint): bigint {
  return a < b ? a : b
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
function dividedHalfAwayFromZero(dividend: bigint, divisor: bigint): bigint {
  const half = dividend < 0n ? -divisor : divisor
  return (2n * dividend + half) / (2n * divisor)
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
