import { describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { idOf } from '#services/sandbox/store/stripe-objects'
import { eventTypesOf } from '../../support/product/sandbox-money.ts'
import { updatesOf } from '../../support/product/previous-attributes.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'
import { subscribe } from '../../support/product/sandbox.ts'

const { stripe, sandbox, advance, invoicesOf } = await sandboxOfFile()

/** A monthly subscription of 39.00 with a discount from the next invoice on. */
async function discountedBy(coupon: Stripe.CouponCreateParams) {
  const { customer, subscription } = await subscribe(stripe)
  const { id } = await stripe.coupons.create(coupon)
  const discounted = await stripe.subscriptions.update(subscription.id, {
    discounts: [{ coupon: id }],
  })
  const [item] = subscription.items.data
  if (item === undefined) throw new Error('The subscription has no item.')
  return { customer, id: subscription.id, coupon: id, discounts: discounted.discounts, item }
}
const half: Stripe.CouponCreateParams = { percent_off: 50, duration: 'forever' }
const discountsOf = async (customer: string) =>
  (await invoicesOf(customer)).map(({ total_discount_amounts: parts }) =>
    (parts ?? []).map(({ amount }) => amount),
  )

describe('a coupon on a subscription', () => {
  it.each<[string, Stripe.CouponCreateParams, readonly (readonly number[])[]]>([
    ['of 50 % for good', half, [[], [1_950], [1_950]]],
    ['of 33.33 % once', { percent_off: 33.33, duration: 'once' }, [[], [1_300], []]],
    ['of 10.00 once', { amount_off: 1_000, currency: 'usd' }, [[], [1_000], []]],
    [
      'of more than the price',
      { amount_off: 9_900, currency: 'usd', duration: 'forever' },
      [[], [3_900], [3_900]],
    ],
  ])('%s reduces the invoices of its duration', async (_name, params, amounts) => {
    const { customer, id, discounts } = await discountedBy(params)
    await advance('P2M')
    expect(await discountsOf(customer)).toEqual(amounts)
    for (const invoice of await invoicesOf(customer)) {
      const off = invoice.total_discount_amounts?.[0]?.amount ?? 0
      expect(invoice).toMatchObject({
        status: 'paid',
        subtotal: 3_900,
        subtotal_excluding_tax: 3_900,
        total: 3_900 - off,
        total_excluding_tax: 3_900 - off,
        amount_paid: 3_900 - off,
        discounts: off === 0 ? [] : discounts,
        lines: {
          data: [
            {
              amount: 3_900,
              discountable: true,
              discounts: [],
              discount_amounts: off === 0 ? [] : [{ amount: off, discount: discounts[0] }],
            },
          ],
        },
      })
    }
    const { discounts: left } = await stripe.subscriptions.retrieve(id)
    expect(left).toEqual(params.duration === 'forever' ? discounts : [])
  })

  it('is read as the expanded discount of the subscription and of the invoice', async () => {
    const { customer, id, coupon, discounts } = await discountedBy({ ...half, name: 'Half' })
    const subscription = await stripe.subscriptions.retrieve(id, {
      expand: ['discounts.source.coupon'],
    })
    expect(subscription.discounts).toMatchObject([
      {
        object: 'discount',
        customer,
        subscription: id,
        source: { type: 'coupon', coupon: { id: coupon, name: 'Half', times_redeemed: 1 } },
      },
    ])
    await advance('P1M')
    const [invoice] = (
      await stripe.invoices.list({ customer, expand: ['data.total_discount_amounts.discount'] })
    ).data
    expect(invoice?.total_discount_amounts).toMatchObject([
      { amount: 1_950, discount: { id: discounts[0], object: 'discount' } },
    ])
    expect((await stripe.coupons.list()).data.map((found) => found.id)).toContain(coupon)
  })

  it('is applied before the tax', async () => {
    const { customer, id } = await discountedBy(half)
    const rate = await stripe.taxRates.create({
      display_name: 'VAT',
      inclusive: false,
      percentage: 20,
    })
    await stripe.subscriptions.update(id, { default_tax_rates: [rate.id] })
    await advance('P1M')
    expect((await invoicesOf(customer)).at(-1)).toMatchObject({
      subtotal: 3_900,
      total_discount_amounts: [{ amount: 1_950 }],
      total_excluding_tax: 1_950,
      total_taxes: [{ amount: 390, taxable_amount: 1_950 }],
      total: 2_340,
      amount_paid: 2_340,
    })
  })

  it('is removed and replaced, with events', async () => {
    const { customer, id, discounts } = await discountedBy(half)
    const { id: once } = await stripe.coupons.create({ percent_off: 10, duration: 'once' })
    const updates = await updatesOf(sandbox, {
      paths: [`subscriptions/${id}`],
      change: () => stripe.subscriptions.update(id, { discounts: [{ coupon: once }] }),
    })
    expect(updates).toEqual(['customer.subscription.updated'])
    expect(await eventTypesOf(stripe, idOf(discounts[0] ?? ''))).toEqual([
      'customer.discount.created',
      'customer.discount.deleted',
    ])
    expect((await stripe.subscriptions.update(id, { discounts: '' })).discounts).toEqual([])
    await advance('P1M')
    expect((await discountsOf(customer)).at(-1)).toEqual([])
  })

  it('is a part of the prorations, which take no other discount', async () => {
    const { customer, id, item } = await discountedBy(half)
    await advance('P1M')
    const [now] = (await stripe.subscriptions.retrieve(id)).items.data
    const middle = ((now?.current_period_start ?? 0) + (now?.current_period_end ?? 0)) / 2
    await stripe.subscriptions.update(id, {
      items: [{ id: item.id, quantity: 3 }],
      proration_behavior: 'always_invoice',
      proration_date: middle,
    })
    const invoice = (await invoicesOf(customer)).at(-1)
    // Half of the period was paid with 19.50; the new plan costs 58.50 after its discount.
    expect(invoice?.lines.data.map(({ amount }) => amount)).toEqual([-975, 2_925])
    expect(invoice).toMatchObject({ total: 1_950, total_discount_amounts: [], discounts: [] })
  })

  it('that was used once is in the credit for the unused time', async () => {
    const { customer, id, item } = await discountedBy({ ...half, duration: 'once' })
    await advance('P1M')
    const [now] = (await stripe.subscriptions.retrieve(id)).items.data
    await stripe.subscriptions.update(id, {
      items: [{ id: item.id, quantity: 3 }],
      proration_behavior: 'always_invoice',
      proration_date: now?.current_period_start ?? 0,
    })
    const invoice = (await invoicesOf(customer)).at(-1)
    expect(invoice?.lines.data.map(({ amount }) => amount)).toEqual([-1_950, 11_700])
  })

  it('is a part of the preview, which charges the same', async () => {
    const { customer, id } = await discountedBy({ ...half, duration: 'once' })
    const preview = await stripe.invoices.createPreview({ subscription: id })
    await advance('P1M')
    const invoice = (await invoicesOf(customer)).at(-1)
    expect(preview).toMatchObject({
      total: 1_950,
      total_discount_amounts: invoice?.total_discount_amounts,
    })
    expect(invoice?.total).toBe(1_950)
  })

  it('is a part of a credit note by lines', async () => {
    const { customer, discounts } = await discountedBy(half)
    await advance('P1M')
    const invoice = (await invoicesOf(customer)).at(-1)
    const note = await stripe.creditNotes.create({
      invoice: invoice?.id ?? '',
      lines: [
        {
          type: 'invoice_line_item',
          invoice_line_item: invoice?.lines.data[0]?.id ?? '',
          amount: 2_000,
        },
      ],
      refund_amount: 1_000,
    })
    expect(note).toMatchObject({
      amount: 1_000,
      subtotal: 2_000,
      discount_amount: 1_000,
      discount_amounts: [{ amount: 1_000, discount: discounts[0] }],
      lines: { data: [{ amount: 2_000, discount_amount: 1_000 }] },
    })
  })
})

describe('a coupon that Stripe would refuse is refused with the parameter named', () => {
  it.each<[string, object, object]>([
    ['without an amount', {}, { param: 'percent_off' }],
    ['with two amounts', { amount_off: 1, percent_off: 1 }, { param: 'amount_off' }],
    ['without a currency', { amount_off: 100 }, { param: 'currency' }],
    ['of more than 100 %', { percent_off: 101 }, { param: 'percent_off' }],
    ['for some months', { percent_off: 1, duration: 'repeating' }, { param: 'duration' }],
    ['with a limit', { percent_off: 1, max_redemptions: 2 }, { code: 'parameter_unknown' }],
  ])('%s', async (_name, params, error) => {
    await expect(stripe.coupons.create(params)).rejects.toMatchObject({ statusCode: 400, ...error })
  })

  it('with the id of another coupon, in another currency, unknown, or with an inclusive tax', async () => {
    const { subscription } = await subscribe(stripe)
    const redeem = (coupon: string, tax: string[] = []) =>
      stripe.subscriptions.update(subscription.id, {
        discounts: [{ coupon }],
        ...(tax.length === 0 ? {} : { default_tax_rates: tax }),
      })
    const euros = { id: 'EUROS', amount_off: 100, currency: 'eur' }
    await stripe.coupons.create(euros)
    await expect(stripe.coupons.create(euros)).rejects.toMatchObject({
      code: 'resource_already_exists',
    })
    const param = 'discounts[0][coupon]'
    await expect(redeem('EUROS')).rejects.toMatchObject({ param })
    await expect(redeem('none')).rejects.toMatchObject({ code: 'resource_missing', param })
    const { id: inclusive } = await stripe.taxRates.create({
      display_name: 'VAT',
      inclusive: true,
      percentage: 20,
    })
    const { id } = await stripe.coupons.create(half)
    await expect(redeem(id, [inclusive])).rejects.toMatchObject({ param })
    expect((await stripe.subscriptions.retrieve(subscription.id)).discounts).toEqual([])
  })
})
