import type Stripe from 'stripe'
import { haveEqualPrice } from '../equal-price.ts'
import type { PlanPrices } from '../plan-prices.ts'
import type { PlanAndPeriod, PlanStep } from '../provider-state.ts'
import { instantOf } from './references.ts'
import { termsFromStripe } from './terms.ts'

/**
 * The plan change that an event `customer.subscription.updated` reports; null if the event reports
 * another change. An event contains the subscription after the change, and the old values of the
 * changed fields.
 */
export function planStepFromStripe(
  { created, data }: Stripe.CustomerSubscriptionUpdatedEvent,
  prices: PlanPrices,
): PlanStep | null {
  const before: Partial<Stripe.SubscriptionItem> | undefined =
    data.previous_attributes?.items?.data[0]
  const after = data.object.items.data[0]
  if (after === undefined) return null
  const to = planOf(after, prices)
  // The type promises a whole item. A part of an item has the values that changed.
  const from = planOf({ ...after, ...before }, prices)
  return haveEqualPrice(from.terms, to.terms) ? null : { at: instantOf(created), from, to }
}

function planOf(item: Stripe.SubscriptionItem, prices: PlanPrices): PlanAndPeriod {
  return {
    terms: termsFromStripe(item.price, item.quantity, prices),
    currentPeriodStart: instantOf(item.current_period_start),
    currentPeriodEnd: instantOf(item.current_period_end),
  }
}
