import type Stripe from 'stripe'
import { payAt } from './client.ts'

const returnUrl = 'http://localhost:3000/settings/payments?connected=1'
const refreshUrl = 'http://localhost:3000/settings/payments?refresh=1'

export const onboardingUrls = { refresh_url: refreshUrl, return_url: returnUrl }

/** A connected account before its onboarding. */
export function createAccount(stripe: Stripe, params: Stripe.AccountCreateParams = {}) {
  return stripe.accounts.create({
    country: 'US',
    email: 'dana@birchwood.example',
    type: 'standard',
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
    metadata: { merchantId: 'merchant-1' },
    ...params,
  })
}

/** Opens the onboarding of the account and returns the address of its page. */
export async function openOnboarding(stripe: Stripe, account: string): Promise<string> {
  const { url } = await stripe.accountLinks.create({
    account,
    type: 'account_onboarding',
    ...onboardingUrls,
  })
  const { headers } = await fetch(url, { redirect: 'manual' })
  return new URL(headers.get('location') ?? '', url).href
}

/** Presses a button of the onboarding page. */
export async function pressAt(
  pageUrl: string,
  action: 'finish' | 'more' | 'deauthorize',
  businessName = 'Birchwood Dental Group',
): Promise<{ readonly status: number; readonly location: string | null }> {
  const response = await fetch(pageUrl, {
    method: 'POST',
    body: new URLSearchParams({ action, businessName }),
    redirect: 'manual',
  })
  return { status: response.status, location: response.headers.get('location') }
}

/** A connected account that accepts payments. */
export async function connectAccount(stripe: Stripe): Promise<string> {
  const { id } = await createAccount(stripe)
  const { status } = await pressAt(await openOnboarding(stripe, id), 'finish')
  if (status !== 303) throw new Error(`The onboarding did not finish: it answered ${status}.`)
  return id
}

/** The parameters of a payment of 120.00 USD with a fee of 6.00 USD, as the product sends them. */
export function paymentParams(
  params: Stripe.Checkout.SessionCreateParams = {},
): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    adaptive_pricing: { enabled: false },
    line_items: [
      {
        price_data: {
          currency: 'usd',
          unit_amount: 12_000,
          product_data: { name: 'Invoice 2026-0117' },
        },
        quantity: 1,
      },
    ],
    payment_intent_data: { application_fee_amount: 600, metadata: { checkoutId: 'checkout-7' } },
    metadata: { checkoutId: 'checkout-7' },
    client_reference_id: 'checkout-7',
    customer_email: 'client@example.com',
    success_url: 'http://localhost:3000/paid?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://localhost:3000/not-paid',
    ...params,
  }
}

/** A paid checkout on the account: the session with its payment intent and charge. */
export async function payOnAccount(
  stripe: Stripe,
  stripeAccount: string,
  { card, ...params }: Stripe.Checkout.SessionCreateParams & { readonly card?: string } = {},
) {
  const { id, url } = await stripe.checkout.sessions.create(paymentParams(params), {
    stripeAccount,
  })
  const { status } = await payAt(url ?? '', card)
  if (status !== 303) throw new Error(`The checkout was not paid: it answered ${status}.`)
  const session = await stripe.checkout.sessions.retrieve(
    id,
    { expand: ['payment_intent.latest_charge'] },
    { stripeAccount },
  )
  const intent = session.payment_intent as Stripe.PaymentIntent
  return { session, intent, charge: intent.latest_charge as Stripe.Charge }
}
