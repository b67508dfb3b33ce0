import { z } from 'zod'
import { planOptionsResponse } from '#contracts/checkout'
import { emailAddress } from '#contracts/email-address'
import {
  paymentsResponse,
  subscriptionChangesResponse,
  subscriptionsResponse,
} from '#contracts/purchases'
import type { ProviderRef } from '#contracts/events/provider-ref'
import type { SubscriptionId, UserId } from '#contracts/ids'
import type { Clock } from '#services/foundation/clock'
import { notYours, type Caller } from '#services/http/access'
import type { ReadContext } from '#services/http/read-your-writes'
import { HttpError } from '#services/http/http-error'
import type { Routes } from '#services/http/routes'
import { planOptionsOf } from './change-of-plan.ts'

/** The queries of the purchases read model that the routes use. */
export interface PurchaseQueries {
  /** Waits for the session's own writes. Answers 503 while the read model does not exist yet. */
  ready(context: ReadContext): Promise<void>
  /** The account's addresses. Empty if the read model does not have the account yet. */
  emailsOf(userId: UserId): Promise<readonly string[]>
  /** The account that has the address. Null if no account of the read model has it. */
  userOf(email: string): Promise<UserId | null>
  /** `id` is the product's or the provider's id of the subscription. Null if it is unknown. */
  ownerOfSubscription(id: SubscriptionId | ProviderRef): Promise<UserId | null>
  payments(userId: string, now: Date): Promise<z.input<typeof paymentsResponse> | null>
  subscriptions(userId: string): Promise<z.infer<typeof subscriptionsResponse>>
  changes(userId: string): Promise<z.input<typeof subscriptionChangesResponse>>
}

export interface PurchasesParts {
  readonly purchases: PurchaseQueries
  readonly clock: Clock
}

const byEmail = z.object({ email: emailAddress })
const byUserId = z.object({ userId: z.string().min(1).max(64) })

/** Routes for a customer's purchases, for the customer and for administrators. */
export function purchasesRoutes({ purchases, clock }: PurchasesParts): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/payments',
      summary: 'List the purchases of an account',
      access: 'customer-or-admin',
      right: 'read',
      query: byEmail,
      answer: paymentsResponse,
      alsoAnswers: [403, 404],
      async handle({ query }, context) {
        await purchases.ready(context)
        const userId = await readableUserId(query.email, context)
        const found = await purchases.payments(userId, clock.now())
        if (found === null) throw new HttpError(404, 'There is no account for this e-mail.')
        return found
      },
    })

    route({
      method: 'get',
      path: '/api/subscriptions',
      summary: 'List the subscriptions of an account by e-mail',
      access: 'customer-or-admin',
      right: 'read',
      query: byEmail,
      answer: subscriptionsResponse,
      alsoAnswers: [403, 404],
      async handle({ query }, context) {
        await purchases.ready(context)
        const userId = await readableUserId(query.email, context)
        return purchases.subscriptions(userId)
      },
    })

    route({
      method: 'get',
      path: '/api/plan-options',
      summary: 'List the plans that the customer can move to',
      access: 'customer',
      answer: planOptionsResponse,
      async handle(_input, context) {
        await purchases.ready(context)
        return planOptionsOf(await purchases.subscriptions(context.userId))
      },
    })

    route({
      method: 'get',
      path: '/api/subscriptions/:userId',
      summary: 'List the subscriptions of an account by user id',
      access: 'admin',
      right: 'read',
      params: byUserId,
      answer: subscriptionsResponse,
      async handle({ params }, context) {
        await purchases.ready(context)
        return purchases.subscriptions(params.userId)
      },
    })

    route({
      method: 'get',
      path: '/api/subscription-changes/:userId',
      summary: 'List the plan changes of an account',
      access: 'customer-or-admin',
      right: 'read',
      params: byUserId,
      answer: subscriptionChangesResponse,
      alsoAnswers: [403],
      async handle({ params }, context) {
        if (context.adminId === null && context.userId !== params.userId) throw notYours()
        await purchases.ready(context)
        return purchases.changes(params.userId)
      },
    })

    route({
      method: 'get',
      path: '/api/admin/subscription-changes',
      summary: 'List the plan changes of any account',
      access: 'admin',
      right: 'read',
      query: byUserId,
      answer: subscriptionChangesResponse,
      async handle({ query }, context) {
        await purchases.ready(context)
        return purchases.changes(query.userId)
      },
    })
  }

  /**
   * The id of the address's account: the session's own account, or any account for an
   * administrator.
   * @throws HttpError 403 for another account's address, 404 if no account has the address, 503 if
   *   the read model does not have the session's account yet
   */
  async function readableUserId(
    email: string,
    { userId, adminId }: Caller<'customer-or-admin'>,
  ): Promise<string> {
    const own = userId === null ? [] : await purchases.emailsOf(userId)
    if (userId !== null && own.includes(email)) return userId
    if (adminId === null) throw own.length === 0 ? notPreparedYet() : notYours()
    const owner = await purchases.userOf(email)
    if (owner === null) throw new HttpError(404, 'There is no account for this e-mail.')
    return owner
  }
}

function notPreparedYet(): HttpError {
  return new HttpError(503, 'Your account is being prepared. Please try again in a moment.', {
    retryAfterSeconds: 2,
  })
}
