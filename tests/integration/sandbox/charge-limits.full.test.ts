import { describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { idOf } from '#services/sandbox/store/stripe-objects'
import { createPrice, createCheckout, subscribe } from '../../support/product/sandbox.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'

const { stripe, advance, invoicesOf } = await sandboxOfFile()

const tooLarge = (param: string, max = '$999,999.99') => ({
  type: 'StripeInvalidRequestError',
  code: 'amount_too_large',
  param,
  message: `Amount must be no more than ${max}`,
})
const priceOf = async (params: Partial<Stripe.PriceCreateParams>) =>
  (await createPrice(stripe, params)).id
const itemOf = ({ items }: Stripe.Subscription) => items.data[0]?.id ?? ''

describe('the most that one charge may be', () => {
  it.each([
    ['usd', 99_999_999, '$999,999.99'],
    ['jpy', 99_999_999, '¥99,999,999'],
    ['kwd', 99_999_990, 'KWD\u00a099,999.999'],
    ['idr', 999_999_999_999, 'IDR\u00a0999,999,999,999'],
  ])('has eight digits, in rupiah twelve: %s', async (currency, max, text) => {
    await createPrice(stripe, { currency, unit_amount: max })
    await expect(createPrice(stripe, { currency, unit_amount: max + 10 })).rejects.toMatchObject(
      tooLarge('unit_amount', text),
    )
  })

  it('limits a price times a quantity, wherever both are chosen', async () => {
    const price = await priceOf({ unit_amount: 50_000_000 })
    const { id: customer } = await stripe.customers.create({ email: 'dana@example.com' })
    const checkout = (quantity: number) =>
      stripe.checkout.sessions.create({
        mode: 'subscription',
        customer,
        line_items: [{ price, quantity }],
        success_url: 'http://localhost:3000/payment-success',
      })
    expect((await checkout(1)).amount_total).toBe(50_000_000)
    await expect(checkout(2)).rejects.toMatchObject(tooLarge('line_items[0][quantity]'))
    await expect(checkout(999_999_999_999_999)).rejects.toMatchObject(
      tooLarge('line_items[0][quantity]'),
    )

    const { subscription } = await subscribe(stripe, { price })
    const items = [{ id: itemOf(subscription), quantity: 2 }]
    await expect(stripe.subscriptions.update(subscription.id, { items })).rejects.toMatchObject(
      tooLarge('items[0][quantity]'),
    )
    await expect(
      stripe.invoices.createPreview({
        subscription: subscription.id,
        subscription_details: { items },
      }),
    ).rejects.toMatchObject(tooLarge('subscription_details[items][0][quantity]'))
    const schedule = await stripe.subscriptionSchedules.create({
      from_subscription: subscription.id,
    })
    const [phase] = schedule.phases
    await expect(
      stripe.subscriptionSchedules.update(schedule.id, {
        phases: [
          {
            items: [{ price }],
            start_date: phase?.start_date ?? 0,
            end_date: phase?.end_date ?? 0,
          },
          { items: [{ price, quantity: 2 }] },
        ],
      }),
    ).rejects.toMatchObject(tooLarge('phases[1][items][0][quantity]'))
  })

  it('limits a coupon', async () => {
    await expect(
      stripe.coupons.create({ amount_off: 100_000_000, currency: 'usd', duration: 'once' }),
    ).rejects.toMatchObject(tooLarge('amount_off'))
  })

  it('declines the card for an invoice that its tax makes larger, and the clock continues', async () => {
    const price = await priceOf({ unit_amount: 99_999_999 })
    const { customer, subscription } = await subscribe(stripe, { price })
    const { id: rate } = await stripe.taxRates.create({
      display_name: 'VAT',
      percentage: 20,
      inclusive: false,
    })
    await stripe.subscriptions.update(subscription.id, { default_tax_rates: [rate] })
    await advance('P1M')
    const [, renewal] = await invoicesOf(customer)
    expect(renewal).toMatchObject({ status: 'open', total: 119_999_999, amount_paid: 0 })
    const [charge] = (await stripe.charges.list({ customer })).data
    expect(charge).toMatchObject({
      status: 'failed',
      failure_message: 'Amount must be no more than $999,999.99',
    })
  })
})

describe('the least that one charge may be', () => {
  it.each([
    ['usd', 49, 50, '$0.50'],
    ['gbp', 29, 30, '£0.30'],
    ['sek', 299, 300, 'SEK\u00a03.00'],
    ['jpy', 49, 50, '¥50'],
  ])('refuses a smaller checkout: %s', async (currency, less, min, text) => {
    const { id: customer } = await stripe.customers.create({ email: 'dana@example.com' })
    await expect(
      createCheckout(stripe, customer, await priceOf({ currency, unit_amount: less })),
    ).rejects.toMatchObject({
      code: 'amount_too_small',
      message: `The Checkout Session's total amount due must add up to at least ${text} ${currency}`,
    })
    const price = await priceOf({ currency, unit_amount: min })
    expect((await createCheckout(stripe, customer, price)).amount_total).toBe(min)
  })

  it('leaves a smaller invoice paid, and its amount on the balance for the next one', async () => {
    const { customer, subscription } = await subscribe(stripe)
    const { id: coupon } = await stripe.coupons.create({
      amount_off: 3_880,
      currency: 'usd',
      duration: 'once',
    })
    await stripe.subscriptions.update(subscription.id, { discounts: [{ coupon }] })
    await advance('P1M')
    const [, small] = await invoicesOf(customer)
    expect(small).toMatchObject({
      status: 'paid',
      total: 20,
      amount_due: 0,
      amount_paid: 0,
      starting_balance: 0,
      ending_balance: 20,
    })
    await advance('P1M')
    const [, , next] = await invoicesOf(customer)
    expect(next).toMatchObject({
      status: 'paid',
      total: 3_900,
      amount_paid: 3_920,
      starting_balance: 20,
      ending_balance: 0,
    })
    const [charge] = (await stripe.charges.list({ customer: idOf(next?.customer ?? '') })).data
    expect(charge?.amount).toBe(3_920)
  })
})
