import type { PlanDefinition } from '#contracts/plans'

/** The currency of our own prices: totals are told in it first, others beside it. */
export const homeCurrency: PlanDefinition['currency'] = 'usd'
