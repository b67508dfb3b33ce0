import type { PlanDefinition } from '#contracts/plans'

/** The currency of the product's prices. Totals in this currency come first. */
export const homeCurrency: PlanDefinition['currency'] = 'usd'
