import { plans, sandboxPriceIdOf, type PlanId } from '#contracts/plans'
import { createPlanPrices } from '#services/payments/plan-prices'

/** The sandbox's price of each plan: a new plan of the catalogue needs no change of a test. */
export const prices = createPlanPrices(
  'stripe',
  Object.fromEntries(plans.map(({ id }) => [id, sandboxPriceIdOf(id)])) as Record<PlanId, string>,
)
