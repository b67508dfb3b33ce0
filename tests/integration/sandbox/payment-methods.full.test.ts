import { describe, expect, it } from '@jest/globals'
import { idOf } from '#services/sandbox/store/stripe-objects'
import { payAt } from '../../support/product/client.ts'
import { eventsOf, eventTypesOf, paidBy } from '../../support/product/sandbox-money.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'

const { stripe, advance } = await sandboxOfFile()

async function subscriber() {
  const paid = await paidBy(stripe)
  return { ...paid, method: paid.charge.payment_method ?? '' }
}

describe('the card form of the portal', () => {
  it('attaches the card and makes it the default of customer and subscription', async () => {
    const { customer, subscription, method: old } = await subscriber()
    const { url } = await stripe.billingPortal.sessions.create({ customer })
    expect((await payAt(`${url}/card`, '5555555555554444')).status).toBe(303)
    const [method] = (await stripe.paymentMethods.list({ customer })).data
    expect(method).toMatchObject({ card: { brand: 'mastercard' } })
    expect(method?.id).not.toBe(old)
    expect(await eventTypesOf(stripe, method?.id ?? '')).toEqual(['payment_method.attached'])
    expect((await eventsOf(stripe, customer)).at(-1)).toMatchObject({
      type: 'customer.updated',
      data: { object: { invoice_settings: { default_payment_method: method?.id } } },
    })
    expect((await eventsOf(stripe, subscription.id)).at(-1)).toMatchObject({
      type: 'customer.subscription.updated',
      data: { previous_attributes: { default_payment_method: old } },
    })
  })
})

describe('a payment method', () => {
  it('changes its billing details and its expiry, with payment_method.updated', async () => {
    const { method } = await subscriber()
    const changed = await stripe.paymentMethods.update(method, {
      billing_details: { name: 'Dana B.', address: { city: 'Duluth', country: 'US' }, phone: '' },
      card: { exp_month: 1, exp_year: 2050 },
    })
    expect(changed).toMatchObject({
      billing_details: { name: 'Dana B.', email: 'dana@example.com', address: { city: 'Duluth' } },
      card: { exp_month: 1, exp_year: 2050, last4: '4242' },
    })
    expect((await eventsOf(stripe, method)).at(-1)).toMatchObject({
      type: 'payment_method.updated',
      data: { previous_attributes: { card: { exp_year: 2032 } } },
    })
    await expect(
      stripe.paymentMethods.update(method, { card: { exp_month: 13 } }),
    ).rejects.toMatchObject({ param: 'card[exp_month]' })
  })

  it('is detached from customer and subscription; the customer’s default card pays on', async () => {
    const { customer, subscription, method } = await subscriber()
    const { url } = await stripe.billingPortal.sessions.create({ customer })
    await payAt(`${url}/card`)
    const [other] = (await stripe.paymentMethods.list({ customer })).data
    await stripe.subscriptions.update(subscription.id, { default_payment_method: method })

    expect(await stripe.paymentMethods.detach(method)).toMatchObject({ customer: null })
    expect((await eventsOf(stripe, method)).at(-1)).toMatchObject({
      type: 'payment_method.detached',
      data: { previous_attributes: { customer } },
    })
    expect((await stripe.paymentMethods.list({ customer })).data).toMatchObject([{ id: other?.id }])
    expect((await stripe.subscriptions.retrieve(subscription.id)).default_payment_method).toBeNull()
    await advance('P1M')
    const [charge] = (await stripe.charges.list({ customer })).data
    expect(charge).toMatchObject({ paid: true, payment_method: other?.id })
    await expect(stripe.paymentMethods.detach(method)).rejects.toMatchObject({ statusCode: 400 })
  })

  it('that is the only card of a live subscription cannot be detached', async () => {
    const { method, subscription, customer } = await subscriber()
    await expect(stripe.paymentMethods.detach(method)).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('would have no card'),
    })
    await stripe.subscriptions.cancel(subscription.id)
    expect(await stripe.paymentMethods.detach(method)).toMatchObject({ customer: null })
    expect((await stripe.paymentMethods.list({ customer })).data).toEqual([])
  })
})

describe('the charge of a checkout without a customer', () => {
  it('belongs to the customer that the checkout creates', async () => {
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: 'price_sandbox_monthly', quantity: 1 }],
      success_url: 'https://shop.example/done',
    })
    await payAt(session.url ?? '')
    const { customer } = await stripe.checkout.sessions.retrieve(session.id)
    expect((await stripe.charges.list({ customer: idOf(customer ?? '') })).data).toMatchObject([
      { amount: 3_900, amount_refunded: 0, refunded: false, disputed: false },
    ])
  })
})
