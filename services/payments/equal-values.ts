import type { SubscriptionTerms } from '#contracts/events/billing-parts'
import type { PlannedChange, Standing } from './provider-change.ts'

/**
 * The names of a plan are the product's: only the price, the quantity and the interval can change.
 */
export function haveEqualPrice(a: SubscriptionTerms, b: SubscriptionTerms): boolean {
  return (
    a.priceRef === b.priceRef &&
    a.price.amount === b.price.amount &&
    a.price.currency === b.price.currency &&
    a.interval === b.interval &&
    a.intervalCount === b.intervalCount &&
    a.quantity === b.quantity
  )
}

export function haveEqualPlannedChange(a: PlannedChange | null, b: PlannedChange | null): boolean {
  if (a === null || b === null) return a === b
  return a.effectiveAt === b.effectiveAt && haveEqualPrice(a.terms, b.terms)
}

export function haveEqualStanding(a: Standing, b: Standing): boolean {
  return a.status === b.status && a.resumesAt === b.resumesAt
}
