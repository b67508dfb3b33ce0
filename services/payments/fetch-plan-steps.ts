import type Stripe from 'stripe'
import type { Instant } from '#contracts/instant'
import { planStepFromStripe } from './from-stripe/plan-steps.ts'
import type { PlanPrices } from './plan-prices.ts'
import type { PlanStep } from './provider-state.ts'

/**
 * The number of events that one look-up reads. Stripe lists the events of all customers together,
 * and keeps them for 30 days.
 */
const mostEvents = 1_000

/**
 * The plan changes of a subscription since `since`, oldest first, as Stripe's events report them.
 */
export async function fetchPlanSteps(
  stripe: Stripe,
  prices: PlanPrices,
  stripeSubscriptionId: string,
  since: Instant,
): Promise<readonly PlanStep[]> {
  const events = await stripe.events
    .list({
      type: 'customer.subscription.updated',
      created: { gte: Math.floor(Date.parse(since) / 1000) },
      limit: 100,
    })
    .autoPagingToArray({ limit: mostEvents })
  return events
    .flatMap((event) =>
      event.type === 'customer.subscription.updated' &&
      event.data.object.id === stripeSubscriptionId
        ? (planStepFromStripe(event, prices) ?? [])
        : [],
    )
    .reverse()
}
