import { z } from 'zod'
import {
  billingSyncQuery,
  billingSyncResponse,
  checkoutSessionResponse,
  createCheckoutSessionRequest,
  createCheckoutSessionResponse,
  createPortalSessionRequest,
  createPortalSessionResponse,
  plansResponse,
  type PortalAction,
} from '#contracts/checkout'
import { refAt, type ProviderRef } from '#contracts/events/provider-ref'
import type { SubscriptionId, UserId } from '#contracts/ids'
import { plans, type PlanDefinition } from '#contracts/plans'
import { specifiedCheckout, specifiedPlan } from '#contracts/specified-ids'
import { hasAddress } from '#services/accounts/account-decider'
import type { Accounts, OpenAccount } from '#services/accounts/accounts'
import { accountBlocked, notYours } from '#services/http/access'
import { commandContext } from '#services/http/command-context'
import type { RequestContext } from '#services/http/endpoint'
import { badRequest, HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import type { PaymentProvider } from '#services/payments/payment-provider'
import { termsOf, type PlanPrices } from '#services/payments/plan-prices'
import type { Billing } from './billing-service.ts'
import { detailsOf } from './customer-details.ts'
import { givenSubscription } from './given-ids.ts'
import { pricedPlan } from './change-of-plan.ts'
import { assertMaySubscribe } from './may-subscribe.ts'
import { checkoutIdOf } from './product-ids.ts'
import { returnUrlOf } from './return-url.ts'

export interface CheckoutParts {
  readonly accounts: Accounts
  readonly billing: Billing
  readonly prices: PlanPrices
  /**
   * Rejects while the prices of the plans are not compared with the plan catalogue, or if they
   * differ.
   */
  readonly assertPricesChecked: () => Promise<void>
  readonly provider: PaymentProvider
  readonly publicUrl: string
  readonly limits: Pick<Limits, 'customerChange'>
}

/** Routes to buy a plan, and to manage a subscription in the provider's portal. */
export function checkoutRoutes({
  accounts,
  billing,
  prices,
  assertPricesChecked,
  provider,
  publicUrl,
  limits,
}: CheckoutParts): Routes {
  const asCustomer = (context: RequestContext, userId: string) =>
    commandContext(context, { kind: 'customer', id: userId })

  return (route) => {
    route({
      method: 'get',
      path: '/api/plans',
      summary: 'List the plans on sale',
      access: 'public',
      answer: plansResponse,
      alsoAnswers: [502],
      async handle() {
        const onSale = plans.filter((plan) => plan.public)
        return {
          plans: await Promise.all(onSale.map((plan) => planAnswer(plan, prices.priceOf(plan.id)))),
        }
      },
    })

    route({
      method: 'post',
      path: '/api/create-checkout-session',
      appends: 'change',
      work: 'checkout',
      summary: 'Start a checkout',
      access: 'customer',
      body: createCheckoutSessionRequest,
      answer: createCheckoutSessionResponse,
      alsoAnswers: [409, 429, 502],
      async handle({ body }, context) {
        // The provider's customer has the primary address, whichever the caller signed in with.
        const account = await ownAccount(accounts, context.userId, body.email)
        const priceRef = refAt(provider.name, body.priceId)
        const plan = prices.planOf(priceRef)
        if (plan === null) throw badRequest('priceId', 'is not the price of a plan.')
        assertMaySubscribe(account)
        await assertPricesChecked()
        const { userId } = context
        await limits.customerChange.spend(userId)
        const customer = { userId, ...detailsOf(account) }
        const command = asCustomer(context, userId)
        const started = await billing.checkoutSessionFor(
          customer,
          checkoutIdOf(userId, context.commandId),
          termsOf(plan, priceRef),
          command,
        )
        context.customer.remember(started.position)
        if (started.kind === 'already-subscribed')
          throw new HttpError(409, 'You already have an active subscription')
        if (started.kind === 'blocked') throw accountBlocked()
        // Specification, section 8: the text for a checkout that cannot start.
        if (started.kind === 'refused')
          throw new HttpError(502, 'Failed to create checkout session', { cause: started.cause })
        const { sessionId } = specifiedCheckout(started.session)
        return { sessionId, url: started.url }
      },
    })

    route({
      method: 'get',
      path: '/api/checkout-sessions/:sessionId',
      work: 'checkout',
      summary: 'Look up a checkout',
      access: 'customer',
      params: z.object({ sessionId: z.string().min(1).max(255) }),
      answer: checkoutSessionResponse,
      alsoAnswers: [404, 502],
      async handle({ params }, context) {
        const session = await billing.findCheckout(
          context.userId,
          refAt(provider.name, params.sessionId),
        )
        if (session === null)
          throw new HttpError(
            404,
            'This checkout is not in your account. If you paid with another address, log in with it.',
          )
        const { status, isPaid, url } = session
        return { ...specifiedCheckout(session), status, isPaid, url }
      },
    })

    route({
      method: 'post',
      path: '/api/billing/sync',
      appends: 'fact',
      work: 'checkout',
      summary: 'Synchronize the customer with the payment provider',
      access: 'customer',
      query: billingSyncQuery,
      answer: billingSyncResponse,
      alsoAnswers: [409, 502],
      async handle({ query: { since } }, context) {
        const { userId } = context
        const synced = await billing.sync(userId, {
          ...asCustomer(context, userId),
          source: 'sync',
        })
        context.customer.remember(synced.position)
        const { hasLiveSubscription } = synced
        if (since === undefined) return { hasLiveSubscription }
        return { hasLiveSubscription, changes: [...(await billing.changesSince(userId, since))] }
      },
    })

    route({
      method: 'post',
      path: '/api/create-customer-portal-session',
      appends: 'fact',
      work: 'checkout',
      summary: "Open the payment provider's portal",
      access: 'customer',
      body: createPortalSessionRequest,
      answer: createPortalSessionResponse,
      alsoAnswers: [409, 502],
      async handle({ body }, context) {
        const account = await ownAccount(accounts, context.userId, body.email)
        const { userId } = account
        const { action, planId } = body
        const subscriptionId =
          body.subscriptionId === undefined
            ? null
            : givenSubscription(provider, body.subscriptionId)
        const returnUrl = returnUrlOf(body.returnUrl, publicUrl)
        if (returnUrl === null)
          throw badRequest(
            'returnUrl',
            `must be a path on this site, such as /purchases, or an address that begins with ${new URL(publicUrl).origin}.`,
          )
        if (action === 'update') assertMaySubscribe(account)
        const portal =
          planId === undefined
            ? await billing.openPortal(userId, { subscriptionId, action, returnUrl })
            : await openPlanChange({ subscriptionId, action, planId, returnUrl }, context)
        if (portal === 'blocked') throw accountBlocked()
        if (portal === null)
          throw subscriptionId === null
            ? new HttpError(
                409,
                'You have no subscription to manage yet. Subscribe to a plan first.',
              )
            : notYours()
        if (portal === 'paid')
          throw new HttpError(409, 'Nothing is unpaid. Reload the page to see your plan.')
        if (portal === 'ended')
          throw new HttpError(
            409,
            'This subscription has ended. Reload the page to see your plans.',
          )
        if ('obstacle' in portal) throw new HttpError(409, portal.obstacle)
        return portal
      },
    })
  }

  /** The server chooses the price. The present subscription at the provider decides. */
  async function openPlanChange(
    visit: {
      readonly subscriptionId: SubscriptionId | ProviderRef | null
      readonly action: PortalAction
      readonly planId: string
      readonly returnUrl: string
    },
    context: RequestContext & { readonly userId: UserId },
  ) {
    if (visit.action !== 'update')
      throw badRequest('planId', 'is used with the action update only.')
    const plan = plans.find(({ id }) => id === visit.planId)
    if (plan === undefined) throw badRequest('planId', 'is not the id of a plan.')
    await assertPricesChecked()
    const { userId } = context
    const synced = await billing.sync(userId, { ...asCustomer(context, userId), source: 'sync' })
    context.customer.remember(synced.position)
    return billing.openPlanChange(userId, {
      ...visit,
      plan: { id: plan.id, priceRef: prices.priceOf(plan.id) },
    })
  }

  async function planAnswer(
    plan: PlanDefinition,
    price: ProviderRef,
  ): Promise<z.input<typeof plansResponse>['plans'][number]> {
    const priced = pricedPlan(plan)
    return {
      ...priced,
      totalPrice: priced.price,
      accounts: plan.accounts,
      ...specifiedPlan({ price, product: await provider.productRefOf(price) }),
      features: plan.features,
    }
  }
}

/**
 * The session's account.
 * @throws HttpError 403 if `email` is not an address of the account
 */
async function ownAccount(accounts: Accounts, userId: UserId, email: string): Promise<OpenAccount> {
  const account = await accounts.find(userId)
  if (account === null || !hasAddress(account, email)) throw notYours()
  return account
}
