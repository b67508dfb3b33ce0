import type Stripe from 'stripe'
import type { PlanPrices } from '../../plan-prices.ts'
import type { PlannedChange } from '../../provider-change.ts'
import { instantOf } from './references.ts'
import { termsFromStripe } from './terms.ts'

/**
 * The first phase after the current phase. Null if the schedule is not active, or if the phase's
 * price is unknown. A schedule that ends the subscription is a cancellation, which Stripe reports
 * as `cancel_at`. `known` has the prices that the phases name by their ids.
 */
export function plannedChangeFromStripe(
  schedule: Stripe.SubscriptionSchedule,
  prices: PlanPrices,
  known: ReadonlyMap<string, Stripe.Price>,
): PlannedChange | null {
  const since = schedule.status === 'active' ? schedule.current_phase?.start_date : undefined
  const next = schedule.phases.find(({ start_date }) => since !== undefined && start_date > since)
  const item = next?.items[0]
  if (next === undefined || item === undefined) return null
  const price = typeof item.price === 'string' ? known.get(item.price) : item.price
  if (price === undefined || price.deleted) return null
  return {
    terms: termsFromStripe(price, item.quantity, prices),
    effectiveAt: instantOf(next.start_date),
  }
}
