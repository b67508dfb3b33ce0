import type Stripe from 'stripe'
import type { PortalAction } from '#contracts/checkout'
import type { ProviderRef } from '#contracts/events/provider-ref'
import { isUserId } from '#contracts/ids'
import { unreachable } from '#services/foundation/decider'
import { fetchHistory } from './fetch-history.ts'
import { fetchStripeState } from './fetch-state.ts'
import { refundRequestKey } from './from-stripe/after-payment.ts'
import { checkoutStatusOf } from './from-stripe/checkouts.ts'
import {
  idOf,
  instantOf,
  refOf,
  refOrNull,
  stripeIdOf,
  stripeName,
} from './from-stripe/references.ts'
import type { CheckoutSession, CustomerDetails, PaymentProvider } from '../payment-provider.ts'
import type { PlanPrices } from '../plan-prices.ts'
import { customerMadeBefore, isReplayed, sessionMadeBefore } from './made-before.ts'
import { calling, isRefusal, nullIfMissing } from './calls.ts'
import { withdrawCancellation } from './withdraw-cancellation.ts'

/**
 * The payment provider over Stripe's SDK. `urls.success` can contain `{CHECKOUT_SESSION_ID}`.
 * The same code calls Stripe and the sandbox: only the client's address differs.
 */
// A table: the call at Stripe of each function of the port.
// oxlint-disable-next-line max-lines-per-function
export function createStripePaymentProvider(
  stripe: Stripe,
  prices: PlanPrices,
  urls: {
    readonly success: string
    readonly cancel: string
    readonly portalConfiguration: string | null
  },
): PaymentProvider {
  const productRefs = new Map<ProviderRef, ProviderRef>()
  return {
    name: stripeName,

    createCustomer: ({ userId, email, idempotencyKey, ...details }) =>
      calling('creating the customer', async () => {
        try {
          const { id, lastResponse } = await stripe.customers.create(
            { email, ...createParamsOf(details), metadata: { userId } },
            { idempotencyKey },
          )
          return { customerRef: refOf(id), isNew: !isReplayed(lastResponse) }
        } catch (error) {
          const { id } = await customerMadeBefore(stripe, error, { email, userId })
          return { customerRef: refOf(id), isNew: false }
        }
      }),

    updateCustomer: (customerRef, change) =>
      calling('changing the customer', async () => {
        // Without a fixed key: a repeat of an earlier value under its key would change nothing.
        await stripe.customers
          .update(stripeIdOf(customerRef), updateParamsOf(change))
          .catch(nullIfMissing)
      }),

    createCheckoutSession: ({ idempotencyKey, checkoutId, userId, customerRef, terms }) =>
      calling('opening the checkout', async () => {
        const session = await stripe.checkout.sessions
          .create(
            {
              mode: 'subscription',
              // The customer pays the amount and the currency of the plan's price.
              adaptive_pricing: { enabled: false },
              customer: stripeIdOf(customerRef),
              client_reference_id: userId,
              line_items: [{ price: stripeIdOf(terms.priceRef), quantity: 1 }],
              metadata: { checkoutId, userId },
              subscription_data: { metadata: { checkoutId, userId } },
              success_url: urls.success,
              cancel_url: urls.cancel,
            },
            { idempotencyKey },
          )
          .catch((error: unknown) => sessionMadeBefore(stripe, error, { customerRef, checkoutId }))
        return sessionOf(session)
      }),

    isCustomerDeleted: (customerRef) =>
      calling('looking up the customer', async () => {
        const customer = await stripe.customers
          .retrieve(stripeIdOf(customerRef))
          .catch(nullIfMissing)
        return customer?.deleted === true
      }),

    retrieveCheckoutSession: (sessionRef) =>
      calling('looking up the checkout', async () => {
        const session = await stripe.checkout.sessions
          .retrieve(stripeIdOf(sessionRef))
          .catch(nullIfMissing)
        return session === null ? null : sessionOf(session)
      }),

    expireCheckoutSession: (sessionRef) =>
      calling('closing the checkout', async () => {
        try {
          // Without a fixed key: Stripe would repeat a saved 500 under the same key for 24 h.
          return sessionOf(await stripe.checkout.sessions.expire(stripeIdOf(sessionRef)))
        } catch (error) {
          // Stripe refuses to expire a session that is complete or expired already.
          if (!isRefusal(error)) throw error
          return sessionOf(await stripe.checkout.sessions.retrieve(stripeIdOf(sessionRef)))
        }
      }),

    fetchState: (customerRef, known) =>
      calling('reading the customer', () =>
        fetchStripeState(stripe, prices, stripeIdOf(customerRef), known),
      ),

    fetchHistory: (objectRefs, since) =>
      calling('reading the history of the customer', () =>
        fetchHistory(stripe, prices, objectRefs, since),
      ),

    cancelSubscription: (subscriptionRef, idempotencyKey) =>
      calling('canceling the subscription', async () => {
        // Stripe answers the cancellation of an ended subscription as if it did not exist.
        await stripe.subscriptions
          .cancel(stripeIdOf(subscriptionRef), undefined, { idempotencyKey })
          .catch(nullIfMissing)
      }),

    withdrawCancellation: (subscriptionRef, idempotencyKey) =>
      calling('withdrawing the cancellation', () =>
        withdrawCancellation(stripe, stripeIdOf(subscriptionRef), idempotencyKey),
      ),

    createRefund: ({ idempotencyKey, requestId, paymentRef, amount, reason }) =>
      calling('refunding the payment', async () => {
        await stripe.refunds.create(
          {
            payment_intent: stripeIdOf(paymentRef),
            amount: amount.amount,
            reason,
            metadata: { [refundRequestKey]: requestId },
          },
          { idempotencyKey },
        )
      }),

    createPortalSession: ({ customerRef, subscriptionRef, action, priceRef, returnUrl }) =>
      calling('opening the billing portal', async () => {
        const subscription = subscriptionRef === null ? null : stripeIdOf(subscriptionRef)
        const flow =
          priceRef === null || subscription === null
            ? flowOf(action, subscription, returnUrl)
            : changeTo(
                stripeIdOf(priceRef),
                await stripe.subscriptions.retrieve(subscription),
                returnUrl,
              )
        const session = await stripe.billingPortal.sessions.create({
          customer: stripeIdOf(customerRef),
          return_url: returnUrl,
          ...(flow === null ? {} : { flow_data: flow }),
          ...(urls.portalConfiguration === null ? {} : { configuration: urls.portalConfiguration }),
        })
        return { url: session.url }
      }),

    invoicePageOf: (invoiceRef) =>
      calling('looking up the invoice', async () => {
        const invoice = await stripe.invoices.retrieve(stripeIdOf(invoiceRef)).catch(nullIfMissing)
        const url = invoice?.hosted_invoice_url ?? null
        return invoice?.status === 'open' && url !== null ? { url } : null
      }),

    productRefOf: (priceRef) =>
      calling('looking up the price', async () => {
        const known = productRefs.get(priceRef)
        if (known !== undefined) return known
        const { product } = await stripe.prices.retrieve(stripeIdOf(priceRef))
        const productRef = refOf(idOf(product))
        productRefs.set(priceRef, productRef)
        return productRef
      }),

    userIdOfCustomer: (customerRef) =>
      calling('looking up the customer', async () => {
        const customer = await stripe.customers
          .retrieve(stripeIdOf(customerRef))
          .catch(nullIfMissing)
        const userId = customer === null || customer.deleted ? '' : customer.metadata['userId']
        return userId !== undefined && isUserId(userId) ? userId : null
      }),
  }
}

/** An empty text removes a detail at Stripe. */
function updateParamsOf(change: Partial<CustomerDetails>): Stripe.CustomerUpdateParams {
  const { email, name, phone, address } = change
  return {
    ...(email === undefined ? {} : { email: email ?? '' }),
    ...(name === undefined ? {} : { name: name ?? '' }),
    ...(phone === undefined ? {} : { phone: phone ?? '' }),
    ...(address === undefined ? {} : { address: address === null ? '' : addressOf(address) }),
  }
}

function createParamsOf({
  name,
  phone,
  address,
}: Omit<CustomerDetails, 'email'>): Stripe.CustomerCreateParams {
  return {
    ...(name === null ? {} : { name }),
    ...(phone === null ? {} : { phone }),
    ...(address === null ? {} : { address: addressOf(address) }),
  }
}

function addressOf({
  line1,
  city,
  state,
  postalCode,
  country,
}: NonNullable<CustomerDetails['address']>): Stripe.AddressParam {
  return { line1, city: city ?? '', state, postal_code: postalCode, country }
}

function sessionOf(session: Stripe.Checkout.Session): CheckoutSession {
  return {
    sessionRef: refOf(session.id),
    status: checkoutStatusOf(session.status),
    url: session.url,
    expiresAt: instantOf(session.expires_at),
    customerRef: refOrNull(session.customer),
    isPaid: session.payment_status !== 'unpaid',
    subscriptionRef: refOrNull(session.subscription),
  }
}

type FlowData = Stripe.BillingPortal.SessionCreateParams.FlowData

/** A link for one action redirects the customer back after the action. */
function returningTo(return_url: string): NonNullable<FlowData['after_completion']> {
  return { type: 'redirect', redirect: { return_url } }
}

/** The confirmation of a change to this price: the portal shows the proration. */
function changeTo(price: string, { id, items }: Stripe.Subscription, returnUrl: string): FlowData {
  return {
    type: 'subscription_update_confirm',
    subscription_update_confirm: {
      subscription: id,
      items: items.data.map((item) => ({ id: item.id, price, quantity: item.quantity ?? 1 })),
    },
    after_completion: returningTo(returnUrl),
  }
}

function flowOf(
  action: Exclude<PortalAction, 'pay'>,
  subscription: string | null,
  returnUrl: string,
): FlowData | null {
  const after_completion = returningTo(returnUrl)
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
