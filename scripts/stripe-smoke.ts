import type Stripe from 'stripe'
import { errorMessage } from '#services/foundation/error-message'
import { randomIds } from '#services/foundation/ids'
import { StartupError } from '#services/foundation/startup-error'
import { stripeAccountOf, type StripeAccount } from '#services/operations/stripe-account'
import { createPlanPrices } from '#services/payments/plan-prices'
import type { PresentState } from '#services/payments/provider-state'
import { refOf, stripeIdOf, stripeName } from '#services/payments/stripe/from-stripe/references'
import { createStripePaymentProvider } from '#services/payments/stripe/payment-provider'

/*
 * `npm run stripe:smoke`: one customer's life at Stripe in test mode, read through the product's
 * own translation. Exit code 2 if no test-mode key is set, 1 if a step fails.
 */

const card = 'pm_card_visa'

function accountInTestMode(): StripeAccount {
  const account = stripeAccountOf(process.env)
  if (account.isLive)
    throw new StartupError(
      'STRIPE_SECRET_KEY is a live key. The smoke test charges a card, so it needs a key of test mode: sk_test_….',
    )
  return account
}

function step(done: string): void {
  process.stdout.write(`${done}\n`)
}

async function main(account: StripeAccount): Promise<void> {
  const { stripe, sandboxUrl, priceIds, publicUrl } = account
  const provider = createStripePaymentProvider(stripe, createPlanPrices(stripeName, priceIds), {
    success: publicUrl,
    cancel: publicUrl,
    portalConfiguration: null,
  })
  const userId = randomIds.userId()
  const { customerRef } = await provider.createCustomer({
    userId,
    email: `${userId}@example.com`,
    name: 'Smoke Test',
    phone: null,
    address: null,
    idempotencyKey: `customer ${userId}`,
  })
  const customer = stripeIdOf(customerRef)
  step(`Created the customer ${customer}.`)
  const read = async (what: string): Promise<PresentState> => {
    const state = await provider.fetchState(customerRef, { paidInvoices: new Set() })
    step(`Read ${what}: ${inWords(state)}.`)
    return state
  }

  try {
    const subscription = await (sandboxUrl !== null ? subscribeAtSandbox : subscribe)(
      account,
      customer,
      publicUrl,
    )
    step(`Subscribed to the monthly price: ${subscription.id}.`)
    const bought = await read('the purchase')
    expectThat(bought.subscriptions.length === 1, 'the subscription is not read')
    expectThat(
      bought.invoices.some(({ outcome }) => outcome.kind === 'paid'),
      'no paid invoice is read',
    )

    await stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0]?.id ?? '', price: priceIds.annual }],
      proration_behavior: 'always_invoice',
    })
    step('Changed the plan to the annual price.')
    const changed = await read('the plan change')
    expectThat(
      changed.subscriptions[0]?.terms.priceRef === refOf(priceIds.annual),
      'the annual price is not read',
    )

    const paid = changed.invoices.find(({ paymentRef }) => paymentRef !== null)
    const { paymentRef = null, invoiceRef = null } = paid ?? {}
    if (paymentRef === null || invoiceRef === null) throw new Error(failure('no payment is read'))
    const refund = await stripe.refunds.create({
      payment_intent: stripeIdOf(paymentRef),
      amount: 100,
    })
    step(`Refunded 1.00 of ${stripeIdOf(invoiceRef)}: ${refund.id}, ${refund.status}.`)
    const refunded = await read('the refund')
    expectThat(
      refunded.refunds.some(({ refundRef }) => refundRef === refOf(refund.id)),
      'the refund is not read',
    )

    await stripe.subscriptions.cancel(subscription.id)
    step('Canceled the subscription at once.')
    const ended = await read('the end')
    expectThat(ended.subscriptions[0]?.kind === 'ended', 'the end is not read')
  } finally {
    await stripe.customers.del(customer)
    step(`Deleted the customer ${customer}.`)
  }
  expectThat(await provider.isCustomerDeleted(customerRef), 'the deletion is not read')
  step('Every step succeeded.')
}

function subscribe(
  { stripe, priceIds }: StripeAccount,
  customer: string,
): Promise<Stripe.Subscription> {
  return stripe.paymentMethods.attach(card, { customer }).then((method) =>
    stripe.subscriptions.create({
      customer,
      items: [{ price: priceIds.monthly }],
      default_payment_method: method.id,
      payment_behavior: 'error_if_incomplete',
    }),
  )
}

/** The sandbox creates subscriptions only by its checkout page. */
async function subscribeAtSandbox(
  { stripe, priceIds }: StripeAccount,
  customer: string,
  publicUrl: string,
): Promise<Stripe.Subscription> {
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price: priceIds.monthly, quantity: 1 }],
    success_url: publicUrl,
    cancel_url: publicUrl,
  })
  const answer = await fetch(session.url ?? '', {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      email: 'smoke@example.com',
      cardNumber: '4242424242424242',
      expiry: '08 / 40',
      cvc: '123',
      name: 'Smoke Test',
      country: 'US',
      postalCode: '55802',
    }),
  })
  expectThat(answer.status === 303, `the checkout page answered ${answer.status}`)
  const [subscription] = (await stripe.subscriptions.list({ customer })).data
  if (subscription === undefined) throw new Error('The sandbox created no subscription.')
  return subscription
}

function inWords({ subscriptions, invoices, refunds }: PresentState): string {
  const plans = subscriptions.map(
    (each) => `${each.terms.planName} ${each.kind === 'ended' ? 'ended' : each.status}`,
  )
  const bills = invoices.map(
    ({ amounts, outcome }) => `${amounts.total} ${amounts.currency} ${outcome.kind}`,
  )
  const back = refunds.map(({ amount }) => `${amount.amount} ${amount.currency} refunded`)
  return [...plans, ...bills, ...back].join(', ') || 'nothing'
}

function expectThat(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new Error(failure(otherwise))
}

function failure(otherwise: string): string {
  return `Reading through services/payments/stripe/from-stripe/ failed: ${otherwise}.`
}

const help = `Usage: npm run stripe:smoke

Plays one customer's life at Stripe in test mode: purchase, plan change, refund, cancellation.
Needs STRIPE_SECRET_KEY of test mode (sk_test_…) and STRIPE_PRICE_MONTHLY, STRIPE_PRICE_SIX_MONTH
and STRIPE_PRICE_ANNUAL. Against a running sandbox: STRIPE_SECRET_KEY=sk_test_sandbox.
`

if (process.argv.includes('--help')) process.stdout.write(help)
else
  try {
    await main(accountInTestMode())
  } catch (error) {
    process.stderr.write(`${errorMessage(error)}\n`)
    process.exitCode = error instanceof StartupError ? 2 : 1
  }
