import express, { type Request, type Router } from 'express'
import { z } from 'zod'
import { portalAction } from '#contracts/checkout'
import { accountBlocked } from '#services/http/access'
import { badRequest } from '#services/http/http-error'
import type { Sessions } from '#services/http/sessions'
import type { Billing } from './billing-service.ts'
import type { PurchaseQueries } from './purchases-routes.ts'

const portalPath = z.object({ subscriptionId: z.string() })

/**
 * The route of `manage_url`. Creates a portal link on each click, because a portal link is valid
 * for minutes. The read model answers who owns the subscription; only its owner reaches the
 * provider.
 */
export function portalRedirect(parts: {
  readonly billing: Pick<Billing, 'openPortal'>
  readonly purchases: Pick<PurchaseQueries, 'ready' | 'ownerOfSubscription'>
  readonly sessions: Sessions
  readonly publicUrl: string
}): Router {
  const { purchases: queries, sessions } = parts
  const router = express.Router()
  router.get('/api/portal/:subscriptionId', async (request: Request, response) => {
    const { subscriptionId } = portalPath.parse(request.params)
    const of = { customer: sessions.customerOf(request), admin: sessions.adminOf(request) }
    const { userId } = of.customer
    const purchases = new URL('/purchases', parts.publicUrl).href
    // The marker makes the page synchronize with the provider.
    const returnUrl = new URL('/purchases?portal=return', parts.publicUrl).href
    // A browser opens this link, so the route redirects to a page instead of answering 401.
    if (userId === null) return response.redirect(303, purchases)
    const action = portalAction.default('manage').safeParse(request.query['action'])
    if (!action.success)
      throw badRequest('action', 'must be one of manage, cancel, update, payment_method.')
    await queries.ready({ ...of, setHeader: (name, value) => response.set(name, value) })
    // A subscription of another customer leads to the caller's own page, as a stale link does.
    if ((await queries.ownerOfSubscription(subscriptionId)) !== userId)
      return response.redirect(303, purchases)
    const portal = await parts.billing.openPortal(userId, {
      subscriptionId,
      action: action.data,
      returnUrl,
    })
    if (portal === 'blocked') throw accountBlocked()
    // A stale page leads to the present one.
    response.redirect(303, portal === null || portal === 'ended' ? purchases : portal.url)
  })
  return router
}
