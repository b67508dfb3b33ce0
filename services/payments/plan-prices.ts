import { planById, plans, type PlanDefinition, type PlanId } from '#contracts/plans'
import type { SubscriptionTerms } from '#contracts/events/billing-parts'

/** Maps plans to the provider's prices and back. */
export interface PlanPrices {
  priceOf(planId: PlanId): string
  /** Null if no plan has this price. */
  planOf(priceId: string): PlanDefinition | null
}

export function createPlanPrices(priceIds: Readonly<Record<PlanId, string>>): PlanPrices {
  const planIdByPrice = new Map(plans.map((plan) => [priceIds[plan.id], plan.id]))
  return {
    priceOf: (planId) => priceIds[planId],
    planOf(priceId) {
      const planId = planIdByPrice.get(priceId)
      return planId === undefined ? null : planById(planId)
    },
  }
}

/** The terms of one subscription to this plan at this price. */
export function termsOf(plan: PlanDefinition, priceId: string): SubscriptionTerms {
  const { id: planId, name: planName, amount, currency, interval, intervalCount } = plan
  return {
    planId,
    planName,
    priceId,
    price: { amount, currency },
    interval,
    intervalCount,
    quantity: 1,
  }
}
