import type Stripe from 'stripe'
import { plans, sandboxPriceIdOf, sandboxProductIdOf, type PlanDefinition } from '#contracts/plans'
import type { Price, Product, Wire } from '../store/stripe-objects.ts'
import { recurringPrice } from './prices.ts'

/*
 * The sandbox derives products and prices from the plan catalogue. A change of a plan in the
 * catalogue changes its price here. Only an archived price and a created price are stored
 * (current-price.ts).
 */

/** The creation time of products and prices, earlier than every subscription. */
const catalogueSince = Date.UTC(2024, 0, 1) / 1000

function productOf(plan: PlanDefinition): Product {
  return {
    id: sandboxProductIdOf(plan.id),
    object: 'product',
    active: true,
    created: catalogueSince,
    default_price: sandboxPriceIdOf(plan.id),
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: { planId: plan.id },
    name: plan.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: catalogueSince,
    url: null,
  } satisfies Product
}

function priceOf(plan: PlanDefinition): Price {
  return recurringPrice({
    id: sandboxPriceIdOf(plan.id),
    created: catalogueSince,
    currency: plan.currency,
    lookup_key: plan.id,
    metadata: { planId: plan.id },
    nickname: plan.name,
    product: sandboxProductIdOf(plan.id),
    amount: plan.amount,
    interval: plan.interval,
    intervalCount: plan.intervalCount,
  })
}

/** The older form of a price, which subscription items still contain. */
export function planOfPrice(price: Price): Wire<Stripe.Plan> {
  const { recurring } = price
  if (!recurring)
    throw new Error(
      `The price ${price.id} is not recurring. The sandbox sells only recurring prices.`,
    )
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: price.billing_scheme,
    created: price.created,
    currency: price.currency,
    interval: recurring.interval,
    interval_count: recurring.interval_count,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  } satisfies Wire<Stripe.Plan>
}

export const products: readonly Product[] = plans.map(productOf)
export const prices: readonly Price[] = plans.map(priceOf)

export function priceById(id: string): Price | null {
  return prices.find((price) => price.id === id) ?? null
}

export function productById(id: string): Product | null {
  return products.find((product) => product.id === id) ?? null
}

/** The name of a price for the buyer: the product's name. */
export function nameOfPrice(price: Price): string {
  return (
    productById(typeof price.product === 'string' ? price.product : price.product.id)?.name ??
    price.id
  )
}
