import { checkoutRoutes } from '#services/billing/checkout-routes'
import { keepPlanRoutes } from '#services/billing/keep-plan-routes'
import { portalRedirectRoutes } from '#services/billing/portal-redirect-routes'
import { purchasesRoutes } from '#services/billing/purchases-routes'
import { receiptRoutes } from '#services/billing/receipt-routes'
import type { Routes } from '#services/http/routes'
import type { StartContext } from '../start-context.ts'
import type { AppParts } from './app-parts.ts'
import type { SharedParts } from './shared-parts.ts'

/** The routes by which a customer subscribes, pays and sees what it bought. */
export function billingRoutes(
  { config: { publicUrl } }: Pick<StartContext, 'config'>,
  { accounts, commands, clock, side, readSide, files, prices }: AppParts,
  { limits }: SharedParts,
): readonly Routes[] {
  const { billing, provider } = side
  return [
    keepPlanRoutes({ billing, provider, limits }),
    checkoutRoutes({
      accounts,
      billing,
      prices: side.prices,
      assertPricesChecked: prices.assertChecked,
      provider,
      publicUrl,
      limits,
    }),
    purchasesRoutes({ purchases: readSide.purchases, clock }),
    receiptRoutes({ receipts: readSide.receipts, limits, files: files.receipts }),
    portalRedirectRoutes({
      accounts,
      billing,
      purchases: readSide.purchases,
      commands,
      clock,
      provider,
      publicUrl,
    }),
  ]
}
