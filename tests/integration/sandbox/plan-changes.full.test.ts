import { describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { createPrice, subscribe } from '../../support/product/sandbox.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'

const { stripe, advance } = await sandboxOfFile()

const failingLater = '4000000000000341'

/** A monthly subscription of $39, and the middle of its period. */
async function inMidPeriod(card?: string) {
  const { customer, subscription } = await subscribe(stripe, card === undefined ? {} : { card })
  const [item] = subscription.items.data
  if (!item) throw new Error('The subscription has no item.')
  const { current_period_start: start, current_period_end: end } = item
  return { customer, id: subscription.id, item, start, end, middle: start + (end - start) / 2 }
}

/** Changes the item of a subscription. */
const change = (
  { id, item }: { id: string; item: { id: string } },
  to: Omit<Stripe.SubscriptionUpdateParams.Item, 'id'>,
  params: Partial<Stripe.SubscriptionUpdateParams> = {},
) => stripe.subscriptions.update(id, { items: [{ id: item.id, ...to }], ...params })

const pending = async (customer: string) =>
  (await stripe.invoiceItems.list({ customer, pending: true })).data.reverse()
const invoicesOf = async (customer: string) =>
  (await stripe.invoices.list({ customer, limit: 100, expand: ['data.payments'] })).data.reverse()
const typesSince = async (before: string | undefined) =>
  (await stripe.events.list({ limit: 100, ...(before ? { ending_before: before } : {}) })).data
    .map(({ type }) => type)
    .reverse()
const lastEvent = async () => (await stripe.events.list({ limit: 1 })).data[0]?.id
const dayFirst = (seconds: number) => {
  const [, day, month, year] = new Date(seconds * 1000).toUTCString().split(' ')
  return `${Number(day)} ${month} ${year}`
}

describe('a change of price in the period', () => {
  it('prorates by default: a credit and a charge wait for the next invoice', async () => {
    const before = await inMidPeriod()
    const larger = await createPrice(stripe, { unit_amount: 9900 })
    const since = await lastEvent()
    const changed = await change(before, { price: larger.id }, { proration_date: before.middle })
    expect(changed.items.data).toMatchObject([
      { price: { id: larger.id }, plan: { id: larger.id }, current_period_end: before.end },
    ])
    expect(await typesSince(since)).toEqual([
      'invoiceitem.created',
      'invoiceitem.created',
      'customer.subscription.updated',
    ])
    const period = { start: before.middle, end: before.end }
    const day = dayFirst(before.middle)
    const common = {
      period,
      proration: true,
      invoice: null,
      quantity: 1,
      parent: { subscription_details: { subscription: before.id } },
    }
    expect(await pending(before.customer)).toMatchObject([
      { ...common, amount: -1950, description: `Unused time on Monthly Plan after ${day}` },
      { ...common, amount: 4950, description: `Remaining time on Monthly Plan after ${day}` },
    ])
    expect(await invoicesOf(before.customer)).toHaveLength(1)

    await advance('P1M')
    const [, renewal] = await invoicesOf(before.customer)
    expect(renewal).toMatchObject({
      billing_reason: 'subscription_cycle',
      status: 'paid',
      total: 9900 + 3000,
      amount_paid: 9900 + 3000,
    })
    const proration = { parent: { subscription_item_details: { proration: true } }, period }
    expect(renewal?.lines.data).toMatchObject([
      { ...proration, amount: -1950, pricing: { price_details: { price: before.item.price.id } } },
      { ...proration, amount: 4950, pricing: { price_details: { price: larger.id } } },
      { amount: 9900, parent: { subscription_item_details: { proration: false } } },
    ])
    expect(await pending(before.customer)).toEqual([])
    const { data } = await stripe.invoiceItems.list({ customer: before.customer, pending: false })
    expect(data.map(({ invoice }) => invoice)).toEqual([renewal?.id, renewal?.id])
  })

  it('with always_invoice charges the difference at once', async () => {
    const before = await inMidPeriod()
    const larger = await createPrice(stripe, { unit_amount: 9900 })
    const since = await lastEvent()
    const changed = await change(
      before,
      { price: larger.id },
      { proration_behavior: 'always_invoice', proration_date: before.middle },
    )
    const [, invoice] = await invoicesOf(before.customer)
    expect(invoice).toMatchObject({
      billing_reason: 'subscription_update',
      status: 'paid',
      total: 3000,
      amount_paid: 3000,
    })
    expect(invoice?.lines.data.map(({ amount }) => amount)).toEqual([-1950, 4950])
    expect(changed).toMatchObject({ status: 'active', latest_invoice: invoice?.id })
    expect(await pending(before.customer)).toEqual([])
    expect(await typesSince(since)).toEqual([
      'invoiceitem.created',
      'invoiceitem.created',
      'invoice.created',
      'invoice.finalized',
      'customer.subscription.updated',
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice.paid',
      'invoice.payment_succeeded',
      'invoice_payment.paid',
    ])
  })

  it('with none makes no prorations', async () => {
    const before = await inMidPeriod()
    const larger = await createPrice(stripe, { unit_amount: 9900 })
    await change(before, { price: larger.id }, { proration_behavior: 'none' })
    expect(await pending(before.customer)).toEqual([])
    await advance('P1M')
    const [, renewal] = await invoicesOf(before.customer)
    expect(renewal).toMatchObject({ total: 9900, lines: { data: [{ amount: 9900 }] } })
  })

  it('of the quantity prorates the units', async () => {
    const before = await inMidPeriod()
    await change(before, { quantity: 3 }, { proration_date: before.middle })
    expect(await pending(before.customer)).toMatchObject([
      { amount: -1950, quantity: 1 },
      {
        amount: 5850,
        quantity: 3,
        description: `Remaining time on 3 × Monthly Plan after ${dayFirst(before.middle)}`,
      },
    ])
  })

  it('in a currency without minor units charges whole units', async () => {
    const yen = await createPrice(stripe, { currency: 'jpy', unit_amount: 3900 })
    const more = await createPrice(stripe, { currency: 'jpy', unit_amount: 5001 })
    const { customer, subscription } = await subscribe(stripe, { price: yen.id })
    const [item] = subscription.items.data
    const { current_period_start: start = 0, current_period_end: end = 0 } = item ?? {}
    await change(
      { id: subscription.id, item: { id: item?.id ?? '' } },
      { price: more.id },
      { proration_behavior: 'always_invoice', proration_date: start + (end - start) / 2 },
    )
    const [, invoice] = await invoicesOf(customer)
    expect(invoice).toMatchObject({ currency: 'jpy', amount_paid: 2501 - 1950 })
  })
})

describe('a change to another interval', () => {
  it('credits the unused time, begins a period and invoices it at once', async () => {
    const before = await inMidPeriod()
    const changed = await change(
      before,
      { price: 'price_sandbox_annual' },
      { proration_date: before.middle },
    )
    const [, invoice] = await invoicesOf(before.customer)
    expect(invoice).toMatchObject({ amount_paid: 35900 - 1950, status: 'paid' })
    const [item] = changed.items.data
    expect(invoice?.lines.data).toMatchObject([
      { amount: -1950, parent: { subscription_item_details: { proration: true } } },
      {
        amount: 35900,
        parent: { subscription_item_details: { proration: false } },
        period: { start: item?.current_period_start, end: item?.current_period_end },
      },
    ])
    expect(changed.billing_cycle_anchor).toBe(item?.current_period_start)
  })

  it('to a cheaper price leaves a credit, which pays the next invoices without a card', async () => {
    const { customer, subscription } = await subscribe(stripe, { price: 'price_sandbox_annual' })
    const [item] = subscription.items.data
    const start = item?.current_period_start ?? 0
    const since = await lastEvent()
    await change(
      { id: subscription.id, item: { id: item?.id ?? '' } },
      { price: 'price_sandbox_monthly' },
      { proration_behavior: 'always_invoice', proration_date: start },
    )
    const [, invoice] = await invoicesOf(customer)
    expect(invoice).toMatchObject({
      status: 'paid',
      total: 3900 - 35900,
      amount_due: 0,
      amount_paid: 0,
      attempt_count: 0,
      starting_balance: 0,
      ending_balance: -32000,
      payments: { data: [] },
    })
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: -32000 })
    expect(await (await fetch(invoice?.hosted_invoice_url ?? '')).text()).toContain(
      '<dt>Added to your credit</dt><dd>$320.00</dd>',
    )
    const types = await typesSince(since)
    expect(types).toContain('customer.updated')
    expect(types.filter((type) => /^(charge|payment_intent)/.test(type))).toEqual([])

    await advance('P9M')
    const later = (await invoicesOf(customer)).slice(2)
    expect(
      later.map(({ amount_due, starting_balance, ending_balance, status }) => [
        amount_due,
        starting_balance,
        ending_balance,
        status,
      ]),
    ).toEqual([
      ...[0, 1, 2, 3, 4, 5, 6, 7].map((paid) => [
        0,
        -32000 + 3900 * paid,
        -32000 + 3900 * (paid + 1),
        'paid',
      ]),
      [3100, -800, 0, 'paid'],
    ])
    expect(later.at(-1)).toMatchObject({ amount_paid: 3100, total: 3900 })
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: 0 })
  })
})

describe('two opposite changes in one second', () => {
  it('cancel out on the next invoice', async () => {
    const before = await inMidPeriod()
    const larger = await createPrice(stripe, { unit_amount: 9901 })
    const at = { proration_date: before.middle + 12_345 }
    await change(before, { price: larger.id }, at)
    await change(before, { price: 'price_sandbox_monthly' }, at)
    await advance('P1M')
    const [, renewal] = await invoicesOf(before.customer)
    expect(renewal).toMatchObject({ total: 3900 })
    expect(renewal?.lines.data).toHaveLength(5)
  })
})

describe('a declined payment of a change', () => {
  it('leaves the invoice open and the subscription past due by default', async () => {
    const before = await inMidPeriod(failingLater)
    const changed = await change(before, { price: 'price_sandbox_annual' })
    expect(changed).toMatchObject({
      status: 'past_due',
      items: { data: [{ price: { id: 'price_sandbox_annual' } }] },
    })
    expect((await invoicesOf(before.customer))[1]).toMatchObject({ status: 'open' })
  })

  it.each([undefined, 'a-key'])(
    'with error_if_incomplete refuses the change (idempotency key: %s)',
    async (idempotencyKey) => {
      const before = await inMidPeriod(failingLater)
      const since = await lastEvent()
      await expect(
        stripe.subscriptions.update(
          before.id,
          {
            items: [{ id: before.item.id, price: 'price_sandbox_annual' }],
            payment_behavior: 'error_if_incomplete',
          },
          idempotencyKey === undefined ? {} : { idempotencyKey },
        ),
      ).rejects.toMatchObject({
        type: 'StripeCardError',
        statusCode: 402,
        code: 'card_declined',
        decline_code: 'generic_decline',
      })
      expect(await typesSince(since)).toEqual([])
      expect(await stripe.subscriptions.retrieve(before.id)).toMatchObject({
        status: 'active',
        items: { data: [{ price: { id: 'price_sandbox_monthly' } }] },
      })
    },
  )

  it('is not tested by error_if_incomplete if the change charges nothing now', async () => {
    const before = await inMidPeriod(failingLater)
    const changed = await change(
      before,
      { quantity: 2 },
      { payment_behavior: 'error_if_incomplete' },
    )
    expect(changed.items.data).toMatchObject([{ quantity: 2 }])
  })

  it('is not tested by error_if_incomplete while the collection is paused', async () => {
    const before = await inMidPeriod(failingLater)
    const changed = await change(
      before,
      { price: 'price_sandbox_annual' },
      { payment_behavior: 'error_if_incomplete', pause_collection: { behavior: 'void' } },
    )
    expect(changed).toMatchObject({
      status: 'active',
      items: { data: [{ price: { id: 'price_sandbox_annual' } }] },
    })
  })
})

describe('the preview of a change', () => {
  it('equals the invoice of the change', async () => {
    const before = await inMidPeriod()
    const larger = await createPrice(stripe, { unit_amount: 9900 })
    const details = {
      items: [{ id: before.item.id, price: larger.id, quantity: 2 }],
      proration_behavior: 'always_invoice' as const,
      proration_date: before.middle + 777,
    }
    const since = await lastEvent()
    const preview = await stripe.invoices.createPreview({
      subscription: before.id,
      subscription_details: details,
    })
    expect(preview).toMatchObject({ id: expect.stringMatching(/^upcoming_in_/), status: 'draft' })
    expect(await typesSince(since)).toEqual([])
    await stripe.subscriptions.update(before.id, details)
    const [, invoice] = await invoicesOf(before.customer)
    expect(invoice?.amount_due).toBe(preview.amount_due)
    const shownLines = (of: Stripe.Invoice | undefined) =>
      of?.lines.data.map(({ amount, description, period }) => ({ amount, description, period }))
    expect(shownLines(invoice)).toEqual(shownLines(preview))
  })

  it('without an invoice now is the next renewal, with what waits for it', async () => {
    const before = await inMidPeriod()
    await change(before, { quantity: 3 }, { proration_date: before.middle })
    const preview = await stripe.invoices.createPreview({ subscription: before.id })
    expect(preview).toMatchObject({
      billing_reason: 'subscription_cycle',
      amount_due: 3 * 3900 - 1950 + 5850,
      created: before.end,
    })
    await advance('P1M')
    expect((await invoicesOf(before.customer))[1]).toMatchObject({
      amount_paid: preview.amount_due,
    })
  })
})

describe('a change that Stripe would refuse is refused with the parameter named', () => {
  it.each<[string, object, object]>([
    [
      'an unknown item',
      { items: [{ id: 'si_unknown', quantity: 2 }] },
      { code: 'resource_missing', param: 'items[0][id]' },
    ],
    [
      'an unknown price',
      { items: [{ price: 'price_unknown' }] },
      { code: 'resource_missing', param: 'items[0][price]' },
    ],
    [
      'a behavior that does not exist',
      { items: [{ quantity: 2 }], proration_behavior: 'sometimes' },
      { param: 'proration_behavior' },
    ],
    [
      'a payment behavior that the sandbox does not simulate',
      { items: [{ quantity: 2 }], payment_behavior: 'pending_if_incomplete' },
      { param: 'payment_behavior' },
    ],
    [
      'a proration date before the period',
      { items: [{ quantity: 2 }], proration_date: 1_600_000_000 },
      { param: 'proration_date' },
    ],
    [
      'a proration date after the period',
      { items: [{ quantity: 2 }], proration_date: 4_000_000_000 },
      { param: 'proration_date' },
    ],
    [
      'a proration date without a change',
      { proration_date: 4_000_000_000 },
      { param: 'proration_date' },
    ],
    [
      'an unknown parameter of the item',
      { items: [{ quantity: 2, tax_rates: ['txr_1'] }] },
      { code: 'parameter_unknown', param: 'items[0][tax_rates]' },
    ],
  ])('%s', async (_name, params, error) => {
    const { id, item } = await inMidPeriod()
    const { items } = params as { items?: object[] }
    await expect(
      stripe.subscriptions.update(id, {
        ...params,
        ...(items === undefined ? {} : { items: items.map((of) => ({ id: item.id, ...of })) }),
      }),
    ).rejects.toMatchObject({ type: 'StripeInvalidRequestError', statusCode: 400, ...error })
  })

  it('an archived price, and a price in another currency', async () => {
    const before = await inMidPeriod()
    const archived = await createPrice(stripe, {})
    await stripe.prices.update(archived.id, { active: false })
    const euro = await createPrice(stripe, { currency: 'eur' })
    for (const price of [archived.id, euro.id])
      await expect(change(before, { price })).rejects.toMatchObject({ param: 'items[0][price]' })
  })
})
