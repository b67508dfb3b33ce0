import type { SubscriptionTerms } from '#contracts/events/billing-parts'

/**
 * The names of a plan are the product's: only the price, the quantity and the interval can change.
 */
export function haveEqualPrice(a: SubscriptionTerms, b: SubscriptionTerms): boolean {
  return (
    a.priceId === b.priceId &&
    a.price.amount === b.price.amount &&
    a.price.currency === b.price.currency &&
    a.interval === b.interval &&
    a.intervalCount === b.intervalCount &&
    a.quantity === b.quantity
  )
}
