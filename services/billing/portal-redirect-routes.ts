import { z } from 'zod'
import { portalAction } from '#contracts/checkout'
import { accountBlocked } from '#services/http/access'
import { redirect } from '#services/http/answer'
import type { Routes } from '#services/http/routes'
import type { Billing } from './billing-service.ts'
import type { PurchaseQueries } from './purchases-routes.ts'

export interface PortalRedirectParts {
  readonly billing: Pick<Billing, 'openPortal'>
  readonly purchases: Pick<PurchaseQueries, 'ready' | 'ownerOfSubscription'>
  readonly publicUrl: string
}

/**
 * The route of `manage_url`. Creates a portal link on each click, because a portal link is valid
 * for minutes. The read model answers who owns the subscription; only its owner reaches the
 * provider.
 */
export function portalRedirectRoutes({
  billing,
  purchases,
  publicUrl,
}: PortalRedirectParts): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/portal/:subscriptionId',
      summary: "Redirect to the payment provider's portal",
      // A browser opens this link, so the route redirects to a page instead of answering 401.
      access: 'public',
      params: z.object({ subscriptionId: z.string() }),
      query: z.object({ action: portalAction.default('manage') }),
      answer: redirect(
        "To the provider's portal, or to the product's page of purchases without a session or if the subscription has ended",
      ),
      alsoAnswers: [403, 502],
      async handle({ params: { subscriptionId }, query: { action } }, context) {
        const { userId } = context.customer
        const page = new URL('/purchases', publicUrl).href
        if (userId === null) return page
        await purchases.ready(context)
        // A subscription of another customer leads to the caller's own page, as a stale link does.
        if ((await purchases.ownerOfSubscription(subscriptionId)) !== userId) return page
        // The marker makes the page synchronize with the provider.
        const returnUrl = new URL('/purchases?portal=return', publicUrl).href
        const portal = await billing.openPortal(userId, { subscriptionId, action, returnUrl })
        if (portal === 'blocked') throw accountBlocked()
        // A stale page leads to the present one.
        return portal === null || portal === 'ended' ? page : portal.url
      },
    })
  }
}
