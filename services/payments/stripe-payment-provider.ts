import Stripe from 'stripe'
import type { PortalAction } from '#contracts/checkout'
import { isUserId } from '#contracts/ids'
import { storable } from '#contracts/storable-text'
import { unreachable } from '#services/foundation/decider'
import { fetchStripeState } from './fetch-state.ts'
import { checkoutStatusOf } from './from-stripe/checkouts.ts'
import { idOf, instantOf } from './from-stripe/references.ts'
import {
  PaymentProviderRefused,
  PaymentProviderUnavailable,
  type CheckoutSession,
  type PaymentProvider,
} from './payment-provider.ts'
import type { PlanPrices } from './plan-prices.ts'

/**
 * The payment provider over Stripe's SDK. `urls.success` can contain `{CHECKOUT_SESSION_ID}`.
 * The same code calls Stripe and the sandbox: only the client's address differs.
 */
export function createStripePaymentProvider(
  stripe: Stripe,
  prices: PlanPrices,
  urls: {
    readonly success: string
    readonly cancel: string
    readonly portalConfiguration: string | null
  },
): PaymentProvider {
  const productIds = new Map<string, string>()
  return {
    createCustomer: ({ userId, email, name, replaces }) =>
      calling('creating the customer', async () => {
        const customer = await stripe.customers.create(
          { email, ...(name === null ? {} : { name }), metadata: { userId } },
          {
            idempotencyKey:
              replaces === null ? `customer ${userId}` : `customer ${userId} after ${replaces}`,
          },
        )
        return { stripeCustomerId: customer.id }
      }),

    createCheckoutSession: ({ checkoutId, userId, stripeCustomerId, terms }) =>
      calling('opening the checkout', async () => {
        const session = await stripe.checkout.sessions.create(
          {
            mode: 'subscription',
            customer: stripeCustomerId,
            client_reference_id: userId,
            line_items: [{ price: terms.priceId, quantity: 1 }],
            metadata: { checkoutId, userId },
            subscription_data: { metadata: { checkoutId, userId } },
            success_url: urls.success,
            cancel_url: urls.cancel,
          },
          { idempotencyKey: `checkout ${checkoutId}` },
        )
        return sessionOf(session)
      }),

    isCustomerDeleted: (stripeCustomerId) =>
      calling('looking up the customer', async () => {
        const customer = await stripe.customers.retrieve(stripeCustomerId).catch(nullIfMissing)
        return customer?.deleted === true
      }),

    retrieveCheckoutSession: (sessionId) =>
      calling('looking up the checkout', async () => {
        const session = await stripe.checkout.sessions.retrieve(sessionId).catch(nullIfMissing)
        return session === null ? null : sessionOf(session)
      }),

    expireCheckoutSession: (sessionId) =>
      calling('closing the checkout', async () => {
        try {
          const expired = await stripe.checkout.sessions.expire(sessionId, undefined, {
            idempotencyKey: `expire ${sessionId}`,
          })
          return sessionOf(expired)
        } catch (error) {
          // Stripe refuses to expire a session that is complete or expired already.
          if (!isRefusal(error)) throw error
          return sessionOf(await stripe.checkout.sessions.retrieve(sessionId))
        }
      }),

    fetchState: (customer, known) =>
      calling('reading the customer', () => fetchStripeState(stripe, prices, customer, known)),

    createPortalSession: ({ stripeCustomerId, stripeSubscriptionId, action, returnUrl }) =>
      calling('opening the billing portal', async () => {
        const flow = flowOf(action, stripeSubscriptionId, returnUrl)
        const session = await stripe.billingPortal.sessions.create({
          customer: stripeCustomerId,
          return_url: returnUrl,
          ...(flow === null ? {} : { flow_data: flow }),
          ...(urls.portalConfiguration === null ? {} : { configuration: urls.portalConfiguration }),
        })
        return { url: session.url }
      }),

    productIdOf: (priceId) =>
      calling('looking up the price', async () => {
        const known = productIds.get(priceId)
        if (known !== undefined) return known
        const productId = idOf((await stripe.prices.retrieve(priceId)).product)
        productIds.set(priceId, productId)
        return productId
      }),

    userIdOfCustomer: (stripeCustomerId) =>
      calling('looking up the customer', async () => {
        const customer = await stripe.customers.retrieve(stripeCustomerId).catch(nullIfMissing)
        const userId = customer === null || customer.deleted ? '' : customer.metadata['userId']
        return userId !== undefined && isUserId(userId) ? userId : null
      }),
  }
}

function sessionOf(session: Stripe.Checkout.Session): CheckoutSession {
  return {
    sessionId: session.id,
    status: checkoutStatusOf(session.status),
    url: session.url,
    expiresAt: instantOf(session.expires_at),
  }
}

function flowOf(
  action: PortalAction,
  subscription: string | null,
  returnUrl: string,
): Stripe.BillingPortal.SessionCreateParams.FlowData | null {
  // A link for one action redirects the customer back after the action.
  const after_completion = { type: 'redirect', redirect: { return_url: returnUrl } } as const
  switch (action) {
    case 'manage':
      return null
    case 'payment_method':
      return { type: 'payment_method_update', after_completion }
    case 'cancel':
      return subscription === null
        ? null
        : { type: 'subscription_cancel', subscription_cancel: { subscription }, after_completion }
    case 'update':
      return subscription === null
        ? null
        : { type: 'subscription_update', subscription_update: { subscription }, after_completion }
    default:
      return unreachable(action)
  }
}

/**
 * Replaces characters that PostgreSQL does not store with U+FFFD, because the provider's texts go
 * into events and tables.
 * @throws PaymentProviderRefused, PaymentProviderUnavailable
 */
async function calling<T>(doing: string, call: () => Promise<T>): Promise<T> {
  try {
    return storable(await call())
  } catch (error) {
    if (isRefusal(error)) throw new PaymentProviderRefused(doing, error)
    if (error instanceof Stripe.errors.StripeError)
      throw new PaymentProviderUnavailable(doing, error)
    throw error
  }
}

/**
 * A 4xx answer that a repeat of the call does not change. 409 is a conflict with a call in progress
 * under the same key, and 429 is a rate or lock limit: both pass.
 */
function isRefusal(error: unknown): error is InstanceType<typeof Stripe.errors.StripeError> {
  if (!(error instanceof Stripe.errors.StripeError)) return false
  const { statusCode = 0 } = error
  return statusCode >= 400 && statusCode < 500 && statusCode !== 409 && statusCode !== 429
}

/**
 * Null for an object that does not exist. No retry would find the object, so the answer is not an
 * error.
 */
function nullIfMissing(error: unknown): null {
  if (error instanceof Stripe.errors.StripeError && error.code === 'resource_missing') return null
  throw error
}

/**
 * The id of the customer that the event is about: the event's object, or the object's customer.
 * Null without a customer.
 */
export function customerOfStripeEvent(event: Stripe.Event): string | null {
  const object = event.data.object as {
    readonly object?: string
    readonly id?: string
    readonly customer?: unknown
  }
  if (object.object === 'customer') return object.id ?? null
  const { customer } = object
  if (typeof customer === 'string') return customer
  return typeof customer === 'object' && customer !== null && 'id' in customer
    ? idOf(customer as { id: string })
    : null
}
