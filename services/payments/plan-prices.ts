import { refAt, type ProviderRef } from '#contracts/events/provider-ref'
import { planById, plans, type PlanDefinition, type PlanId } from '#contracts/plans'
import type { SubscriptionTerms } from '#contracts/events/billing-parts'

/** Maps plans to the provider's prices and back. */
export interface PlanPrices {
  priceOf(planId: PlanId): ProviderRef
  /** Null if no plan has this price. */
  planOf(priceRef: ProviderRef): PlanDefinition | null
}

/** `priceIds` are the ids at the provider. */
export function createPlanPrices(
  provider: string,
  priceIds: Readonly<Record<PlanId, string>>,
): PlanPrices {
  const priceOf = (planId: PlanId) => refAt(provider, priceIds[planId])
  const planIdByPrice = new Map(plans.map(({ id }) => [priceOf(id), id]))
  return {
    priceOf,
    planOf(priceRef) {
      const planId = planIdByPrice.get(priceRef)
      return planId === undefined ? null : planById(planId)
    },
  }
}

/** The terms of one subscription to this plan at this price. */
export function termsOf(plan: PlanDefinition, priceRef: ProviderRef): SubscriptionTerms {
  const { id: planId, name: planName, amount, currency, interval, intervalCount } = plan
  return {
    planId,
    planName,
    priceRef,
    price: { amount, currency },
    interval,
    intervalCount,
    quantity: 1,
  }
}
