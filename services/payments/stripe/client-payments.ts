import type Stripe from 'stripe'
import type { ProviderRef } from '#contracts/events/provider-ref'
import type { CheckoutId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type {
  CheckoutClaim,
  ClientPayments,
  ProviderClientCheckout,
  ProviderFee,
  ProviderReversal,
} from '../client-payments.ts'
import { PaymentProviderRefused } from '../payment-provider.ts'
import { throwAmountRefusal } from './amount-refusal.ts'
import { calling, isOtherRequest, isRefusal, nullIfMissing } from './calls.ts'
import { claimIn, claimMetadata } from './from-stripe/claims.ts'
import {
  clientPaymentOf,
  clientSessionOf,
  feeFromStripe,
  reversalOfDispute,
  reversalOfRefund,
} from './from-stripe/client-checkout.ts'
import { checkoutStatusOf } from './from-stripe/checkouts.ts'
import { idOrNull, instantOf, stripeIdOf, stripeName } from './from-stripe/references.ts'

const perPage = 100
const opening = 'opening the payment page'

/** The types of events after which a checkout of a client is read again. */
const clientCheckoutEventTypes = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'charge.refunded',
  'charge.refund.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const

/** The types of events that the endpoint for merchants' accounts gets. */
export const connectedAccountEventTypes = [
  ...clientCheckoutEventTypes,
  'account.updated',
  'account.application.deauthorized',
] as const

/**
 * Payments of clients by direct charges on merchants' accounts: each call names the account in the
 * header `Stripe-Account`. Fees belong to the product's own account.
 */
export function createStripeClientPayments(stripe: Stripe): ClientPayments {
  return {
    name: stripeName,

    createCheckout: (checkout) =>
      calling(opening, async () => {
        const { accountRef, claim, lines, currency, fee, email, idempotencyKey } = checkout
        const on = { stripeAccount: stripeIdOf(accountRef) }
        const metadata = claimMetadata(claim, checkout.merchantId)
        const session = await stripe.checkout.sessions
          .create(
            {
              mode: 'payment',
              // The client pays the amount and the currency of the invoice, not converted ones.
              adaptive_pricing: { enabled: false },
              client_reference_id: claim.checkoutId,
              line_items: lines.map(({ name, amount }) => ({
                price_data: { currency, unit_amount: amount, product_data: { name } },
                quantity: 1,
              })),
              payment_intent_data: {
                metadata,
                ...(fee === 0 ? {} : { application_fee_amount: fee }),
              },
              metadata,
              ...(email === null ? {} : { customer_email: email }),
              success_url: checkout.returnUrl,
              cancel_url: checkout.cancelUrl,
            },
            { ...on, idempotencyKey },
          )
          .catch((error: unknown) => sessionMadeBefore(stripe, error, on, claim.checkoutId))
        return clientSessionOf(session)
      }).catch((error: unknown) => throwAmountRefusal(error, opening, checkout.currency)),

    checkoutOf: (accountRef, sessionRef) =>
      calling('reading the payment', () =>
        checkoutOf(stripe, stripeIdOf(accountRef), stripeIdOf(sessionRef)),
      ),

    expireCheckout: (accountRef, sessionRef) =>
      calling('closing the payment page', async () => {
        const on = { stripeAccount: stripeIdOf(accountRef) }
        const id = stripeIdOf(sessionRef)
        try {
          // Without a fixed key: Stripe would repeat a saved 500 under the same key for 24 h.
          return checkoutStatusOf((await stripe.checkout.sessions.expire(id, undefined, on)).status)
        } catch (error) {
          // Stripe refuses to expire a session that is complete or expired already.
          if (!isRefusal(error)) throw error
          return checkoutStatusOf((await stripe.checkout.sessions.retrieve(id, {}, on)).status)
        }
      }),

    returnFee: ({ feeRef, amount, idempotencyKey }) =>
      calling('returning the fee', async () => {
        await stripe.applicationFees.createRefund(
          stripeIdOf(feeRef),
          { amount },
          { idempotencyKey },
        )
      }),

    claimOf: (accountRef, paymentRef) =>
      calling('looking up the payment', () =>
        claimOfPayment(stripe, stripeIdOf(accountRef), stripeIdOf(paymentRef)),
      ),

    changedCheckouts: (accountRef, since) => changedCheckouts(stripe, accountRef, since),
  }
}

/** The session that another request under the same key made: a setting or an address changed. */
async function sessionMadeBefore(
  stripe: Stripe,
  error: unknown,
  on: Stripe.RequestOptions,
  checkoutId: CheckoutId,
): Promise<Stripe.Checkout.Session> {
  if (!isOtherRequest(error)) throw error
  for await (const session of stripe.checkout.sessions.list({ limit: perPage }, on))
    if (session.metadata?.['checkoutId'] === checkoutId) return session
  throw error
}

async function checkoutOf(
  stripe: Stripe,
  stripeAccount: string,
  id: string,
): Promise<ProviderClientCheckout | null> {
  const on = { stripeAccount }
  const found = await stripe.checkout.sessions
    .retrieve(id, { expand: ['payment_intent.latest_charge'] }, on)
    .catch(nullIfMissing)
  if (found === null) return null
  const session = clientSessionOf(found)
  const intent = found.payment_intent
  if (found.status !== 'complete' || typeof intent !== 'object' || intent === null)
    return { session, payment: 'none' }
  if (found.payment_status !== 'paid')
    return { session, payment: hasFailed(intent) ? 'failed' : 'submitted' }
  const charge = intent.latest_charge
  if (typeof charge !== 'object' || charge === null)
    throw new PaymentProviderRefused(
      'reading the payment',
      new Error(`The payment ${intent.id} is paid, and Stripe names no charge of it.`),
    )
  const [reversals, fee] = await Promise.all([
    reversalsOf(stripe, charge, on),
    feeOf(stripe, idOrNull(charge.application_fee)),
  ])
  return { session, payment: clientPaymentOf(intent.id, charge, reversals, fee) }
}

/**
 * The page is complete, so no other attempt is possible on it. In every other status the money can
 * still come: a bank debit waits in `requires_action` until the client confirms small deposits.
 */
function hasFailed({ status }: Stripe.PaymentIntent): boolean {
  return status === 'requires_payment_method' || status === 'canceled'
}

async function reversalsOf(
  stripe: Stripe,
  charge: Stripe.Charge,
  on: Stripe.RequestOptions,
): Promise<readonly ProviderReversal[]> {
  const found: ProviderReversal[] = []
  for await (const refund of stripe.refunds.list({ charge: charge.id, limit: perPage }, on))
    found.push(reversalOfRefund(refund))
  for await (const dispute of stripe.disputes.list({ charge: charge.id, limit: perPage }, on)) {
    const reversal = reversalOfDispute(dispute)
    if (reversal !== null) found.push(reversal)
  }
  return found.toSorted((one, other) => (one.at < other.at ? -1 : 1))
}

/** The fee is an object of the product's own account. */
async function feeOf(stripe: Stripe, id: string | null): Promise<ProviderFee | null> {
  if (id === null) return null
  const fee = await stripe.applicationFees.retrieve(id)
  if (!fee.refunds.has_more) return feeFromStripe(fee)
  const data: Stripe.FeeRefund[] = []
  for await (const each of stripe.applicationFees.listRefunds(id, { limit: perPage }))
    data.push(each)
  return feeFromStripe({ ...fee, refunds: { ...fee.refunds, data } })
}

async function claimOfPayment(
  stripe: Stripe,
  stripeAccount: string,
  id: string,
): Promise<CheckoutClaim | null> {
  const intent = await stripe.paymentIntents
    .retrieve(id, {}, { stripeAccount })
    .catch(nullIfMissing)
  return claimIn(intent?.metadata)
}

/** Events of 30 days are kept. Before that, all sessions are read. */
async function* changedCheckouts(
  stripe: Stripe,
  accountRef: ProviderRef,
  since: Instant | null,
): AsyncGenerator<CheckoutClaim & { readonly at: Instant }> {
  const stripeAccount = stripeIdOf(accountRef)
  const on = { stripeAccount }
  if (since === null) {
    const sessions = pagesOf(stripe.checkout.sessions.list({ limit: perPage }, on))
    for await (const { metadata, created } of sessions) {
      const claim = claimIn(metadata)
      if (claim !== null) yield { ...claim, at: instantOf(created) }
    }
    return
  }
  const created = { gte: Math.floor(Date.parse(since) / 1000) }
  const types = [...clientCheckoutEventTypes]
  const events = pagesOf(stripe.events.list({ types, created, limit: perPage }, on))
  for await (const { data, created: changed } of events) {
    const object = data.object as ClaimingObject
    const claim = claimIn(object.metadata) ?? (await claimOfIntent(object.payment_intent))
    if (claim !== null) yield { ...claim, at: instantOf(changed) }
  }

  function claimOfIntent(intent: ClaimingObject['payment_intent']) {
    const id = idOrNull(intent)
    return id === null
      ? Promise.resolve(null)
      : calling('looking up the payment', () => claimOfPayment(stripe, stripeAccount, id))
  }
}

/** The fields of an event's object that lead to a checkout. */
export interface ClaimingObject {
  readonly object?: string
  readonly metadata?: Readonly<Record<string, unknown>> | null
  readonly payment_intent?: string | { readonly id: string } | null
}

async function* pagesOf<T>(list: AsyncIterable<T>): AsyncGenerator<T> {
  const objects: AsyncIterator<T, unknown> = list[Symbol.asyncIterator]()
  for (;;) {
    const next = await calling("listing an account's objects", async () => {
      const { done, value } = await objects.next()
      return done === true ? null : { value }
    })
    if (next === null) return
    yield next.value
  }
}
