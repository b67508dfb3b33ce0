import { plans } from '#contracts/plans'
import { parseInterval, type BillingInterval } from '#contracts/billing-interval'
import type { Subscription } from '#contracts/purchases'

/**
 * The billing interval. The subscription's custom interval, such as `6_month`, takes precedence
 * over the provider's `month`.
 */
export function billingInterval(
  subscription: Pick<Subscription, 'interval' | 'plan_interval' | 'metadata'>,
): BillingInterval {
  return parseInterval(
    subscription.metadata.custom_interval ?? (subscription.plan_interval || subscription.interval),
  )
}

/**
 * The wording of the purchases and admin pages: `monthly`, `every 6 months`, `annually`, `every 2
 * weeks`.
 */
export function cadence({ count, unit }: BillingInterval): string {
  if (count !== 1) return `every ${count} ${unit}s`
  if (unit === 'month') return 'monthly'
  if (unit === 'year') return 'annually'
  return `every ${unit}`
}

/** The text after a price and its slash: `month`, `6 months`. */
export const perInterval = ({ count, unit }: BillingInterval) =>
  count === 1 ? unit : `${count} ${unit}s`

/**
 * The wording of the confirmation page: `Monthly`, `Annually`, and for the other intervals of the
 * plan catalogue for example `Every 6 Months`. Another value is unchanged.
 */
export function intervalLabel(interval: string): string {
  const { count, unit } = parseInterval(interval)
  if (count === 1 && unit === 'month') return 'Monthly'
  if (count === 1 && unit === 'year') return 'Annually'
  const isSold = plans.some((plan) => plan.interval === unit && plan.intervalCount === count)
  return isSold ? `Every ${count} ${unit.charAt(0).toUpperCase()}${unit.slice(1)}s` : interval
}
