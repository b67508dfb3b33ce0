import { describe, expect, it } from '@jest/globals'
import { idOf } from '#services/sandbox/store/stripe-objects'
import { createPrice, createCheckout, subscribe } from '../../support/product/sandbox.ts'
import { payAt } from '../../support/product/client.ts'
import { eventTypesOf, paidBy } from '../../support/product/sandbox-money.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'

const { sandbox, stripe, advance } = await sandboxOfFile()

const failingLater = '4000000000000341'

/** A past due subscription with an open invoice after one failed attempt. */
async function pastDue() {
  const { customer, subscription } = await subscribe(stripe, { card: failingLater })
  await advance('P1M')
  const [open] = (await stripe.invoices.list({ customer, expand: ['data.payments'] })).data
  if (open === undefined) throw new Error('The customer has no invoice.')
  return { customer, subscription: subscription.id, invoice: open.id ?? '', open }
}

/** A good card of the customer, made through the portal's form. */
async function addCard(customer: string): Promise<string> {
  const { url } = await stripe.billingPortal.sessions.create({ customer })
  const { status } = await payAt(`${url}/card`)
  expect(status).toBe(303)
  const [method] = (await stripe.paymentMethods.list({ customer })).data
  return method?.id ?? ''
}

describe('an open invoice', () => {
  it('that is voided stops the retries and makes the subscription active', async () => {
    const { customer, subscription, invoice, open } = await pastDue()
    expect(await stripe.invoices.voidInvoice(invoice)).toMatchObject({
      status: 'void',
      next_payment_attempt: null,
      status_transitions: { voided_at: expect.any(Number) },
    })
    expect((await eventTypesOf(stripe, invoice)).at(-1)).toBe('invoice.voided')
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('active')
    const intent = idOf(open.payments?.data[0]?.payment.payment_intent ?? '')
    expect(await stripe.paymentIntents.retrieve(intent)).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'void_invoice',
    })
    await advance('P3D')
    expect((await stripe.charges.list({ customer })).data).toHaveLength(2)
    await expect(stripe.invoices.pay(invoice)).rejects.toMatchObject({ statusCode: 400 })
  })

  it('that is marked as uncollectible can still be paid', async () => {
    const { customer, subscription, invoice } = await pastDue()
    expect(await stripe.invoices.markUncollectible(invoice)).toMatchObject({
      status: 'uncollectible',
      status_transitions: { marked_uncollectible_at: expect.any(Number) },
    })
    expect((await eventTypesOf(stripe, invoice)).at(-1)).toBe('invoice.marked_uncollectible')
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('active')
    const payment_method = await addCard(customer)
    expect(await stripe.invoices.pay(invoice, { payment_method })).toMatchObject({
      status: 'paid',
      amount_paid: 3_900,
    })
  })

  it('is paid by a call with another card; the subscription is active again', async () => {
    const { customer, subscription, invoice } = await pastDue()
    await addCard(customer)
    const paid = await stripe.invoices.pay(invoice)
    expect(paid).toMatchObject({ status: 'paid', attempt_count: 1, amount_remaining: 0 })
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('active')
    await expect(stripe.invoices.pay(invoice)).rejects.toMatchObject({
      statusCode: 400,
      message: 'Invoice is already paid',
    })
    await expect(stripe.invoices.voidInvoice(invoice)).rejects.toMatchObject({ statusCode: 400 })
  })

  it('that a call cannot collect keeps the failed attempt and its retry calendar', async () => {
    const { customer, invoice, open } = await pastDue()
    const pay = () => stripe.invoices.pay(invoice, {}, { idempotencyKey: `pay-${invoice}` })
    const refused = { statusCode: 402, type: 'StripeCardError', code: 'card_declined' }
    await expect(pay()).rejects.toMatchObject(refused)
    await expect(pay()).rejects.toMatchObject(refused)
    expect(await stripe.invoices.retrieve(invoice)).toMatchObject({
      status: 'open',
      attempt_count: 1,
      next_payment_attempt: open.next_payment_attempt,
    })
    // The repeat with the key made no second attempt.
    expect((await stripe.charges.list({ customer })).data).toHaveLength(3)
  })

  it('that is paid outside of Stripe charges no card', async () => {
    const { customer, invoice } = await pastDue()
    expect(await stripe.invoices.pay(invoice, { paid_out_of_band: true })).toMatchObject({
      status: 'paid',
      amount_paid: 3_900,
      amount_paid_off_stripe: 3_900,
    })
    expect((await stripe.charges.list({ customer })).data).toHaveLength(2)
  })

  it('refuses the card of another customer', async () => {
    const { invoice } = await pastDue()
    const { charge } = await paidBy(stripe)
    await expect(
      stripe.invoices.pay(invoice, { payment_method: charge.payment_method ?? '' }),
    ).rejects.toMatchObject({ code: 'resource_missing', param: 'payment_method' })
  })
})

describe('the hosted page of an invoice', () => {
  it('shows number, lines, tax, total and status', async () => {
    const { invoice } = await paidBy(stripe)
    const { hosted_invoice_url, number } = await stripe.invoices.retrieve(invoice)
    expect(hosted_invoice_url).toBe(`${sandbox.url}/invoice/${invoice}`)
    const response = await fetch(hosted_invoice_url ?? '')
    const page = await response.text()
    expect(response.status).toBe(200)
    for (const text of [number ?? '', 'Paid', '1 × Monthly Plan', 'Tax', '$0.00', '$39.00'])
      expect(page).toContain(text)
    expect(page).not.toMatch(/<style|style="|<script/)
  })

  it('of an unknown invoice is not found', async () => {
    expect((await fetch(`${sandbox.url}/invoice/in_none`)).status).toBe(404)
  })
})

describe('the portal', () => {
  it('shows the next attempt and the retry calendar of an unpaid invoice', async () => {
    const { customer, invoice } = await pastDue()
    const { url } = await stripe.billingPortal.sessions.create({ customer })
    const page = await (await fetch(url)).text()
    expect(page).toContain('Unpaid')
    expect(page).toContain('Next attempt')
    expect(page).toContain(
      'A failed payment is tried again 3 days later, then 5 and 7 days after each further failure.',
    )
    expect(page).toContain(`href="/invoice/${invoice}"`)
  })

  it('shows no retry calendar without an unpaid invoice', async () => {
    const { customer } = await paidBy(stripe)
    const { url } = await stripe.billingPortal.sessions.create({ customer })
    expect(await (await fetch(url)).text()).not.toContain('tried again')
  })
})

describe('a price in a currency without the usual two decimals', () => {
  it.each([
    ['jpy', 3_900, '¥3,900', 900],
    ['kwd', 12_340, 'KWD 12.340', 2_340],
  ])(
    '%s is charged, shown, renewed and refunded in its own units',
    async (currency, amount, text, part) => {
      const { id: price } = await createPrice(stripe, { currency, unit_amount: amount })
      const shop = await stripe.customers.create({ email: 'dana@example.com' })
      const checkout = await createCheckout(stripe, shop.id, price)
      const plain = (page: string) => page.replaceAll('\u00a0', ' ')
      expect(plain(await (await fetch(checkout.url ?? '')).text())).toContain(text)

      const { customer, charge, invoice } = await paidBy(stripe, undefined, price)
      expect(charge).toMatchObject({ amount, currency })
      expect(plain(await (await fetch(`${sandbox.url}/invoice/${invoice}`)).text())).toContain(text)
      await advance('P1M')
      expect((await stripe.invoices.list({ customer })).data).toMatchObject([
        { amount_paid: amount, currency },
        { amount_paid: amount, currency },
      ])
      expect(await stripe.refunds.create({ charge: charge.id, amount: part })).toMatchObject({
        amount: part,
        currency,
      })
      await expect(stripe.refunds.create({ charge: charge.id, amount })).rejects.toMatchObject({
        message: expect.stringContaining('greater than unrefunded amount'),
      })
    },
  )

  it('with three decimals must end in zero', async () => {
    await expect(
      createPrice(stripe, { currency: 'kwd', unit_amount: 12_345 }),
    ).rejects.toMatchObject({ statusCode: 400, param: 'unit_amount' })
  })
})
