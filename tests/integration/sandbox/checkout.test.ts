import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { idOf } from '#services/sandbox/store/stripe-objects'
import { payAt } from '../../support/product/client.ts'
import {
  createCheckout,
  startTestSandbox,
  type TestSandbox,
} from '../../support/product/sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox?.close())

const newCustomer = async () =>
  (
    await sandbox.stripe.customers.create({
      email: 'dana@example.com',
      name: 'Birchwood Dental Group',
    })
  ).id

const form = {
  email: 'dana@example.com',
  cardNumber: '4242 4242 4242 4242',
  expiry: '04 / 32',
  cvc: '123',
  name: 'Dana Birch',
  country: 'US',
  postalCode: '60614',
}
const submit = (url: string | null, change: Partial<typeof form>) =>
  fetch(url ?? '', {
    method: 'POST',
    body: new URLSearchParams({ ...form, ...change }),
    redirect: 'manual',
  })

describe('the checkout page', () => {
  it('shows plan, price and every labelled field', async () => {
    const { url } = await createCheckout(sandbox.stripe, await newCustomer())
    const page = await (await fetch(url ?? '')).text()
    for (const label of [
      'E-mail',
      'Card number',
      'Expiry',
      'CVC',
      'Name on card',
      'Country',
      'ZIP',
    ])
      expect(page).toMatch(new RegExp(`<label for="\\w+">${label}</label>`))
    expect(page).toMatch(/<button[^>]*>Pay<\/button>/)
    expect(page).toContain('$39.00')
    expect(page).toContain('Sandbox. No card is charged.')
    expect(page).toContain('value="dana@example.com"')
  })

  it('allows no inline style or script and no frame around it', async () => {
    const { url } = await createCheckout(sandbox.stripe, await newCustomer())
    const response = await fetch(url ?? '')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).not.toContain('unsafe-inline')
    expect(policy).toContain("frame-ancestors 'none'")
    // The form's answer redirects to the product, which the browser counts as a form target.
    expect(policy).toContain("form-action 'self' http://localhost:3000")
    expect(await response.text()).not.toMatch(/<style|style="|<script(?! src)/)
  })

  it('escapes typed text', async () => {
    const { url } = await createCheckout(sandbox.stripe, await newCustomer())
    const page = await (await submit(url, { name: '"><script>alert(1)</script>', cvc: '' })).text()
    expect(page).not.toContain('<script>alert')
    expect(page).toContain('&lt;script&gt;')
  })

  it.each([
    ['email', 'dana', 'Enter an e-mail address'],
    ['cardNumber', '', 'Enter the card number.'],
    ['cardNumber', '4242 4242 4242 4241', 'This card number is not valid.'],
    ['cardNumber', '4242', 'A card number has 13 to 19 digits.'],
    ['expiry', '13 / 30', 'Write the expiry as month and year'],
    ['expiry', '01 / 20', 'This card has expired.'],
    ['cvc', '12', 'The CVC has 3 digits.'],
    ['name', '  ', 'Enter the name on the card.'],
    ['country', 'XX', 'Choose a country.'],
    ['postalCode', '1234', 'Enter a ZIP code of five digits'],
  ] as const)(
    'refuses %s "%s" with an error at the field, and keeps the typed values',
    async (field, value, sentence) => {
      const { url, id } = await createCheckout(sandbox.stripe, await newCustomer())
      const response = await submit(url, { [field]: value })
      const page = await response.text()
      expect(response.status).toBe(422)
      expect(page).toMatch(
        new RegExp(`id="${field}-error"[^>]*>${sentence.replaceAll('.', '\\.')}`),
      )
      expect(page).toContain(`value="${field === 'name' ? 'dana@example.com' : 'Dana Birch'}"`)
      expect((await sandbox.stripe.checkout.sessions.retrieve(id)).status).toBe('open')
    },
  )
})

describe('paying', () => {
  it('redirects to the product with the session’s id, and creates Stripe’s objects', async () => {
    const { stripe } = sandbox
    const customer = await newCustomer()
    const { url, id } = await createCheckout(stripe, customer)
    const { status, location } = await payAt(url ?? '')
    expect([status, location]).toEqual([
      303,
      `http://localhost:3000/payment-success?session_id=${id}`,
    ])

    const session = await stripe.checkout.sessions.retrieve(id, {
      expand: ['subscription.latest_invoice', 'line_items'],
    })
    expect(session).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      url: null,
      customer,
      amount_total: 3900,
      line_items: { data: [{ amount_total: 3900 }] },
    })
    expect(session).not.toHaveProperty('sandbox')
    const subscription = session.subscription
    if (subscription === null || typeof subscription === 'string')
      throw new Error('The subscription was not expanded.')
    expect(subscription).toMatchObject({
      status: 'active',
      customer,
      metadata: { checkoutId: 'checkout-1' },
      cancel_at: null,
      billing_mode: { type: 'flexible' },
      items: {
        data: [
          {
            price: {
              id: 'price_sandbox_monthly',
              unit_amount: 3900,
              recurring: { interval: 'month', interval_count: 1 },
            },
          },
        ],
      },
      latest_invoice: {
        status: 'paid',
        amount_paid: 3900,
        billing_reason: 'subscription_create',
        customer_name: 'Birchwood Dental Group',
      },
    })
    expect(subscription).not.toHaveProperty('current_period_end')

    const {
      data: [invoice],
    } = await stripe.invoices.list({ customer, expand: ['data.payments'] })
    expect(invoice).toMatchObject({
      parent: { subscription_details: { subscription: subscription.id } },
    })
    expect(invoice?.lines.data).toMatchObject([
      {
        amount: 3900,
        pricing: {
          price_details: { price: 'price_sandbox_monthly', product: 'prod_sandbox_monthly' },
        },
        parent: { subscription_item_details: { proration: false } },
      },
    ])
    const item = subscription.items.data[0]
    expect(invoice?.lines.data[0]?.period).toEqual({
      start: item?.current_period_start,
      end: item?.current_period_end,
    })
    const intentId = idOf(invoice?.payments?.data[0]?.payment.payment_intent ?? '')
    const intent = await stripe.paymentIntents.retrieve(intentId, {
      expand: ['payment_method', 'latest_charge'],
    })
    expect(intent).toMatchObject({
      status: 'succeeded',
      amount_received: 3900,
      payment_method: {
        type: 'card',
        customer,
        card: { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2032 },
      },
      latest_charge: { paid: true, payment_method_details: { card: { last4: '4242' } } },
    })
  })

  it('uses a price whose decimal amount has the SDK’s type', async () => {
    const price = await sandbox.stripe.prices.retrieve('price_sandbox_annual')
    expect(String(price.unit_amount_decimal)).toBe('35900')
  })

  it('charges once if Pay is pressed repeatedly', async () => {
    const customer = await newCustomer()
    const { url } = await createCheckout(sandbox.stripe, customer)
    const answers = await Promise.all([payAt(url ?? ''), payAt(url ?? ''), payAt(url ?? '')])
    expect(new Set(answers.map(({ status, location }) => `${status} ${location}`)).size).toBe(1)
    expect(
      (await sandbox.stripe.subscriptions.list({ customer, status: 'all' })).data,
    ).toHaveLength(1)
    expect((await sandbox.stripe.charges.list({ customer })).data).toHaveLength(1)
  })

  it('with a declined card shows the decline and leaves the session open for another card', async () => {
    const { stripe } = sandbox
    const customer = await newCustomer()
    const { url, id } = await createCheckout(stripe, customer)
    const declined = await submit(url, { cardNumber: '4000 0000 0000 0002' })
    expect(declined.status).toBe(402)
    expect(await declined.text()).toMatch(
      /role="alert">Your card was declined\. Nothing was charged\. Try another card\.</,
    )
    expect((await stripe.checkout.sessions.retrieve(id)).status).toBe('open')
    expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toEqual([])
    const {
      data: [intent],
    } = await stripe.paymentIntents.list({ customer })
    expect(intent).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined', payment_method: { card: { last4: '0002' } } },
    })

    expect((await payAt(url ?? '')).status).toBe(303)
    const intents = await stripe.paymentIntents.list({ customer })
    expect(intents.data).toMatchObject([
      { id: intent?.id, status: 'succeeded', last_payment_error: null },
    ])
    expect((await stripe.charges.list({ customer })).data.map(({ paid }) => paid)).toEqual([
      true,
      false,
    ])
  })

  it('refuses a card that is not a test card, as Stripe does', async () => {
    const { url } = await createCheckout(sandbox.stripe, await newCustomer())
    const response = await submit(url, { cardNumber: '4111 1111 1111 1111' })
    expect([response.status, await response.text()]).toEqual([
      402,
      expect.stringContaining('used a non test card'),
    ])
  })

  it('without a customer creates one from the form', async () => {
    const { stripe } = sandbox
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: 'price_sandbox_monthly' }],
      success_url: 'https://shop.example/done',
    })
    expect((await payAt(session.url ?? '')).location).toBe('https://shop.example/done')
    const { customer } = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['customer'],
    })
    expect(customer).toMatchObject({
      email: 'dana@example.com',
      name: 'Dana Whitlock',
      address: { country: 'US', postal_code: '55802' },
    })
  })

  it('stores no card number', async () => {
    const { url } = await createCheckout(sandbox.stripe, await newCustomer())
    await payAt(url ?? '')
    const { rows } = await sandbox.database.pool.query(
      `SELECT id FROM sandbox.object WHERE data::text ~ '4242 ?4242 ?4242'`,
    )
    expect(rows).toEqual([])
  })
})

describe('a closed checkout', () => {
  it('shows that it is complete, with a link to the product', async () => {
    const { url, id } = await createCheckout(sandbox.stripe, await newCustomer())
    await payAt(url ?? '')
    const page = await (await fetch(url ?? '')).text()
    expect(page).toContain('This checkout is complete')
    expect(page).toContain(`href="http://localhost:3000/payment-success?session_id=${id}"`)
  })

  it('shows that it has expired, and charges nothing', async () => {
    const customer = await newCustomer()
    const { url, id } = await createCheckout(sandbox.stripe, customer)
    expect((await sandbox.stripe.checkout.sessions.expire(id)).status).toBe('expired')
    const [shown, paid] = [await fetch(url ?? ''), await submit(url, {})]
    expect([shown.status, paid.status]).toEqual([410, 410])
    expect(await shown.text()).toContain('This checkout has expired')
    expect((await sandbox.stripe.subscriptions.list({ customer, status: 'all' })).data).toEqual([])
    await expect(sandbox.stripe.checkout.sessions.expire(id)).rejects.toMatchObject({
      statusCode: 400,
    })
  })

  it('is a 404 at an unknown address', async () => {
    const response = await fetch(`${sandbox.url}/checkout/cs_test_none`)
    expect([response.status, await response.text()]).toEqual([
      404,
      expect.stringContaining('Checkout not found'),
    ])
  })
})

describe('the billing portal', () => {
  const open = async (customer: string, flow?: 'subscription_cancel', subscription = '') =>
    sandbox.stripe.billingPortal.sessions.create({
      customer,
      return_url: 'http://localhost:3000/purchases',
      ...(flow === undefined
        ? {}
        : { flow_data: { type: flow, subscription_cancel: { subscription } } }),
    })
  const act = (url: string, what: string, fields = {}) =>
    fetch(`${url}/${what}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })

  async function subscribed(): Promise<{ customer: string; subscription: string }> {
    const customer = await newCustomer()
    await payAt((await createCheckout(sandbox.stripe, customer)).url ?? '')
    const {
      data: [subscription],
    } = await sandbox.stripe.subscriptions.list({ customer })
    return { customer, subscription: subscription?.id ?? '' }
  }

  it('schedules a cancellation by cancel_at alone, and withdraws it', async () => {
    const { customer, subscription } = await subscribed()
    const { url } = await open(customer)
    expect(await (await fetch(url)).text()).toContain('Cancel plan')
    await act(url, 'cancel')
    const leaving = await sandbox.stripe.subscriptions.retrieve(subscription)
    expect(leaving).toMatchObject({
      status: 'active',
      cancel_at_period_end: false,
      cancel_at: leaving.items.data[0]?.current_period_end,
    })
    expect(await (await fetch(url)).text()).toContain('Keep plan')
    await act(url, 'keep')
    expect(await sandbox.stripe.subscriptions.retrieve(subscription)).toMatchObject({
      status: 'active',
      cancel_at: null,
      canceled_at: null,
    })
  })

  it('opens the cancellation if the link is for cancelling, and redirects to the product after it', async () => {
    const { customer, subscription } = await subscribed()
    const { url } = await open(customer, 'subscription_cancel', subscription)
    const question = await (await fetch(url)).text()
    expect(question).toContain('Cancel Monthly Plan')
    expect(question).toMatch(/href="http:\/\/localhost:3000\/purchases">Go back</)
    const answer = await act(url, 'cancel')
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      'http://localhost:3000/purchases',
    ])
  })

  it('changes the card unless the issuer declines it', async () => {
    const { customer, subscription } = await subscribed()
    const { url } = await open(customer)
    const before = (await sandbox.stripe.subscriptions.retrieve(subscription))
      .default_payment_method
    const declined = await act(url, 'card', { ...form, cardNumber: '4000000000000002' })
    expect([
      declined.status,
      (await sandbox.stripe.subscriptions.retrieve(subscription)).default_payment_method,
    ]).toEqual([402, before])
    expect((await act(url, 'card', { ...form, cardNumber: '5555 5555 5555 4444' })).status).toBe(
      303,
    )
    const after = await sandbox.stripe.subscriptions.retrieve(subscription, {
      expand: ['default_payment_method'],
    })
    expect(after.default_payment_method).toMatchObject({
      card: { brand: 'mastercard', last4: '4444' },
    })
  })

  it('refuses a link for a subscription of another customer', async () => {
    const { subscription } = await subscribed()
    await expect(
      open(await newCustomer(), 'subscription_cancel', subscription),
    ).rejects.toMatchObject({ statusCode: 400, code: 'resource_missing' })
  })
})
