import type Stripe from 'stripe'
import type { SubscriptionTerms } from '#contracts/events/billing-parts'
import type { PlanPrices } from '../../plan-prices.ts'
import { refOf } from './references.ts'

/**
 * The plan, price and quantity of a subscription's item or a schedule's item. Stripe omits the
 * quantity of a metered price.
 * @throws Error if the price is not recurring
 */
export function termsFromStripe(
  price: Stripe.Price,
  quantity: number | undefined,
  prices: PlanPrices,
): SubscriptionTerms {
  const plan = prices.planOf(refOf(price.id))
  const { recurring } = price
  if (!recurring)
    throw new Error(
      `Stripe's price ${price.id} is not recurring, so it cannot be a plan. Check the STRIPE_PRICE_* settings.`,
    )
  return {
    planId: plan?.id ?? null,
    planName: plan?.name ?? price.nickname ?? 'Subscription Plan',
    priceRef: refOf(price.id),
    price: { amount: price.unit_amount ?? 0, currency: price.currency },
    interval: recurring.interval as SubscriptionTerms['interval'],
    intervalCount: recurring.interval_count,
    quantity: quantity ?? 1,
  }
}
