import { z } from 'zod'
import { mayDo, refusedRight } from '#contracts/admin/roles'
import { portalAction, portalReturnPath, type PortalAction } from '#contracts/checkout'
import type { AdminAccessEvent } from '#contracts/events/admin-access'
import { isProviderRef, type ProviderRef } from '#contracts/events/provider-ref'
import type { SubscriptionId, UserId } from '#contracts/ids'
import type { Accounts } from '#services/accounts/accounts'
import { createAccessRecords } from '#services/commands/access-records'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { accountBlocked } from '#services/http/access'
import { redirect } from '#services/http/answer'
import { commandContext } from '#services/http/command-context'
import type { RequestContext } from '#services/http/endpoint'
import { HttpError } from '#services/http/http-error'
import type { Routes } from '#services/http/routes'
import type { PaymentProvider } from '#services/payments/payment-provider'
import type { Billing } from './billing-service.ts'
import { givenSubscription } from './given-ids.ts'
import { hasProfile } from './may-subscribe.ts'
import { subscriptionIdOf } from './product-ids.ts'
import type { PurchaseQueries } from './purchases-routes.ts'

export interface PortalRedirectParts {
  readonly accounts: Pick<Accounts, 'find'>
  readonly billing: Pick<Billing, 'openPortal'>
  readonly purchases: Pick<PurchaseQueries, 'ready' | 'ownerOfSubscription'>
  readonly commands: Pick<CommandHandler, 'record'>
  readonly clock: Clock
  readonly provider: Pick<PaymentProvider, 'name'>
  readonly publicUrl: string
}

/** The pages that lead to the portal after the sign-in. */
const pages: Readonly<Record<PortalAction, string>> = {
  manage: '/manage-plan',
  cancel: '/manage-plan',
  update: '/manage-plan',
  payment_method: '/update-card',
  pay: '/pay',
}

/**
 * The route of `manage_url` and `cancellation_url`. Creates a portal link on each click, because a
 * portal link is valid for minutes. The read model answers who owns the subscription. Only its
 * owner and an administrator reach the provider. An administrator's visit is recorded before the
 * link is created, because the provider does not report who changes something in the portal.
 */
export function portalRedirectRoutes({
  accounts,
  billing,
  purchases,
  commands,
  clock,
  provider,
  publicUrl,
}: PortalRedirectParts): Routes {
  const accesses = createAccessRecords({ commands, clock })

  return (route) => {
    route({
      method: 'get',
      path: '/api/portal/:subscriptionId',
      appends: 'administrator',
      work: 'checkout',
      summary: "Redirect to the payment provider's portal",
      // A browser opens this link, so the route redirects to a page instead of answering 401.
      access: 'public',
      ignoresIdempotencyKey: true,
      params: z.object({ subscriptionId: z.string() }),
      query: z.object({ action: portalAction.default('manage') }),
      answer: redirect(
        "To the provider's portal. Without a session, to the page that opens the portal after the sign-in. If the subscription has ended, to a page of the product",
      ),
      alsoAnswers: [403, 502],
      async handle({ params, query: { action } }, context) {
        const subscriptionId = givenSubscription(provider, params.subscriptionId)
        const administrator = await context.administrator()
        const adminId = administrator?.adminId ?? null
        // These pages lead to the portal after the sign-in. They know the plan by the session.
        if (adminId === null && context.customer.userId === null)
          return new URL(pages[action], publicUrl).href
        const owner = await ownerFor(subscriptionId, context)
        const isOwner = owner !== null && owner === context.customer.userId
        // A subscription of another customer leads to the caller's own page, as a stale link does.
        const page =
          isOwner || adminId === null ? '/purchases' : '/admin/dashboard?tab=active-plans'
        const stalePage = new URL(page, publicUrl).href
        if (owner === null) return stalePage
        if (!isOwner) {
          if (administrator === null || adminId === null) return stalePage
          if (!mayDo(administrator.role, 'portal'))
            throw new HttpError(403, refusedRight(administrator.role, 'portal'))
        }
        if (isOwner && action === 'update' && !(await hasOwnProfile(owner)))
          return new URL('/profile', publicUrl).href
        // The marker makes the customer's page synchronize with the provider.
        const returnUrl = isOwner ? new URL(portalReturnPath, publicUrl).href : stalePage
        const ownId = isProviderRef(subscriptionId)
          ? subscriptionIdOf(subscriptionId)
          : subscriptionId
        const open = () => billing.openPortal(owner, { subscriptionId, action, returnUrl })
        const portal =
          isOwner || adminId === null
            ? await open()
            : await visit({ adminId, userId: owner, subscriptionId: ownId, action }, context, open)
        if (portal === 'blocked' && isOwner) throw accountBlocked()
        // A stale page leads to the present one.
        if (portal === null || portal === 'ended' || portal === 'blocked') return stalePage
        // The marker makes the page say that nothing is unpaid.
        return portal === 'paid' ? returnUrl : portal.url
      },
    })
  }

  /** The owner of the subscription. Null for an unknown subscription. */
  async function ownerFor(
    subscriptionId: SubscriptionId | ProviderRef,
    context: RequestContext,
  ): Promise<UserId | null> {
    await purchases.ready(context)
    return purchases.ownerOfSubscription(subscriptionId)
  }

  /** Without a profile, the customer completes it before a change of the plan. */
  async function hasOwnProfile(userId: UserId): Promise<boolean> {
    const account = await accounts.find(userId)
    return account !== null && hasProfile(account)
  }

  function visit<Opened>(
    data: Extract<AdminAccessEvent, { type: 'PortalVisited' }>['data'],
    context: RequestContext,
    open: () => Promise<Opened>,
  ): Promise<Opened> {
    return accesses.recordThen(
      { type: 'PortalVisited', data },
      commandContext(context, { kind: 'admin', id: data.adminId }),
      ({ position }) => {
        context.admin.remember(position)
        return open()
      },
    )
  }
}
