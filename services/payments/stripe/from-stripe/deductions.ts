import type Stripe from 'stripe'
import type { Deductions } from '#contracts/events/billing-parts'
import type { Instant } from '#contracts/instant'
import { instantOf } from './references.ts'

/** What every invoice of a subscription has less than its price, and when a coupon began. */
export interface SubscriptionDeductions {
  readonly deductions: Deductions
  /** The start of the newest coupon without an end; null without such a coupon. */
  readonly discountedAt: Instant | null
}

/**
 * `subscription` has its discounts expanded, with their coupons. A coupon that applies once or for
 * some months is left out, as Stripe's MRR does (docs/finance.md has the source). `taxes` are those
 * of the newest invoice's line of the subscription, which Stripe Tax computes.
 */
export function deductionsFromStripe(
  subscription: Stripe.Subscription,
  taxes: readonly Stripe.InvoiceLineItem.Tax[],
): SubscriptionDeductions {
  const { currency } = subscription
  const forever = subscription.discounts.flatMap((discount) => {
    if (typeof discount === 'string') return []
    const { coupon } = discount.source
    if (coupon === null || typeof coupon === 'string' || coupon.duration !== 'forever') return []
    return [{ coupon, start: discount.start }]
  })
  const discounts = forever.flatMap(({ coupon }) => discountOf(coupon, currency))
  const start = Math.max(...forever.map((each) => each.start))
  return {
    deductions: { discounts, includedTax: includedTaxOf(subscription, taxes) },
    discountedAt: forever.length === 0 ? null : instantOf(start),
  }
}

/** None if the coupon takes off an amount of another currency. */
function discountOf(
  { percent_off: percent, amount_off: amount, currency: of }: Stripe.Coupon,
  currency: string,
): Deductions['discounts'] {
  if (percent !== null) return [{ kind: 'share', millionths: millionthsOf(percent) }]
  return amount !== null && of === currency ? [{ kind: 'amount', amount }] : []
}

/** A rate of the item replaces the default rates of the subscription. */
function includedTaxOf(
  { items, default_tax_rates: defaults, automatic_tax: automatic }: Stripe.Subscription,
  taxes: readonly Stripe.InvoiceLineItem.Tax[],
): number {
  if (automatic.enabled) return shareOf(taxes)
  const own = items.data[0]?.tax_rates ?? []
  const rates = own.length > 0 ? own : (defaults ?? [])
  return rates
    .filter(({ inclusive }) => inclusive)
    .reduce((sum, { percentage }) => sum + millionthsOf(percentage), 0)
}

/** The included taxes as a share of the amount without them. */
function shareOf(taxes: readonly Stripe.InvoiceLineItem.Tax[]): number {
  const included = taxes.filter(({ tax_behavior }) => tax_behavior === 'inclusive')
  const taxable = included[0]?.taxable_amount ?? 0
  const tax = included.reduce((sum, { amount }) => sum + amount, 0)
  return taxable <= 0 ? 0 : Math.round((tax * 1_000_000) / taxable)
}

/** A percentage has four decimals. */
function millionthsOf(percent: number): number {
  return Math.round(percent * 10_000)
}
