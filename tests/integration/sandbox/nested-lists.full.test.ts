import { describe, expect, it } from '@jest/globals'
import { idOf } from '#services/sandbox/store/stripe-objects'
import { paidBy } from '../../support/product/sandbox-money.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'
import { subscribe } from '../../support/product/sandbox.ts'

const { stripe, sandbox, lastEvent, eventsSince } = await sandboxOfFile()
const everything = { limit: 100 }
const idsOf = ({ data }: { data: readonly { id: string }[] }) => data.map(({ id }) => id)

/** An invoice with twelve lines: a credit and a charge of each of six plan changes. */
async function invoiceOfTwelveLines() {
  const { customer, subscription } = await subscribe(stripe)
  const item = subscription.items.data[0]?.id ?? ''
  const change = (quantity: number, proration_behavior: 'create_prorations' | 'always_invoice') =>
    stripe.subscriptions.update(subscription.id, {
      items: [{ id: item, quantity }],
      proration_behavior,
    })
  for (let quantity = 2; quantity < 7; quantity += 1) await change(quantity, 'create_prorations')
  const since = await lastEvent()
  const { latest_invoice } = await change(7, 'always_invoice')
  return { customer, invoice: idOf(latest_invoice ?? ''), since }
}

describe('the lines of an invoice', () => {
  it('are cut to ten in the invoice, and all in their own list', async () => {
    const { customer, invoice: id, since } = await invoiceOfTwelveLines()
    const invoice = await stripe.invoices.retrieve(id)
    expect(invoice.lines).toMatchObject({
      object: 'list',
      has_more: true,
      url: `/v1/invoices/${id}/lines`,
    })
    expect(invoice.lines.data).toHaveLength(10)
    const [listed] = (await stripe.invoices.list({ customer })).data
    expect(listed?.lines).toEqual(invoice.lines)
    const { latest_invoice: expanded } = await stripe.subscriptions.retrieve(
      idOf(invoice.parent?.subscription_details?.subscription ?? ''),
      { expand: ['latest_invoice'] },
    )
    expect(expanded).toMatchObject({ lines: { has_more: true, data: { length: 10 } } })
    for (const { data } of (await eventsSince(since)).filter(({ type }) => type === 'invoice.paid'))
      expect(data.object).toMatchObject({ lines: { has_more: true, data: { length: 10 } } })

    const lines = await stripe.invoices.listLineItems(id).autoPagingToArray(everything)
    expect(lines).toHaveLength(12)
    expect(lines.slice(0, 10)).toEqual(invoice.lines.data)
    expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(invoice.subtotal)
    expect(
      await stripe.invoices.listLineItems(id, {
        limit: 1,
        expand: ['data.pricing.price_details.price'],
      }),
    ).toMatchObject({ data: [{ pricing: { price_details: { price: { object: 'price' } } } }] })
  })

  it('are read in pages in both directions', async () => {
    const { invoice: id } = await invoiceOfTwelveLines()
    const all = idsOf(await stripe.invoices.listLineItems(id, { limit: 100 }))
    const page = (params: object) => stripe.invoices.listLineItems(id, params)
    const [fourth = '', eleventh = ''] = [all[3], all[10]]
    for (const [params, ids, has_more] of [
      [{}, all.slice(0, 10), true],
      [{ limit: 12 }, all, false],
      [{ limit: 2, starting_after: fourth }, all.slice(4, 6), true],
      [{ starting_after: eleventh }, all.slice(11), false],
      [{ limit: 2, ending_before: fourth }, all.slice(1, 3), true],
      [{ limit: 5, ending_before: fourth }, all.slice(0, 3), false],
    ] as const) {
      const found = await page(params)
      expect([params, idsOf(found), found.has_more]).toEqual([params, ids, has_more])
    }
    await expect(page({ starting_after: 'il_none' })).rejects.toMatchObject({
      code: 'resource_missing',
      param: 'starting_after',
    })
    await expect(page({ limit: 0 })).rejects.toMatchObject({ param: 'limit' })
    await expect(stripe.invoices.listLineItems('in_none')).rejects.toMatchObject({
      statusCode: 404,
    })
  })
})

it('an expanded charge has its newest ten refunds, and the refunds’ own URL has all', async () => {
  const { charge } = await paidBy(stripe)
  for (let count = 0; count < 12; count += 1)
    await stripe.refunds.create({ charge: charge.id, amount: 100 })
  const { refunds } = await stripe.charges.retrieve(charge.id, { expand: ['refunds'] })
  const all = await stripe.refunds.list({ charge: charge.id }).autoPagingToArray(everything)
  expect(all).toHaveLength(12)
  expect(refunds).toEqual({
    object: 'list',
    has_more: true,
    url: `/v1/charges/${charge.id}/refunds`,
    data: all.slice(0, 10),
  })
  const rest = await fetch(`${sandbox.url}${refunds?.url}?starting_after=${all[9]?.id}`, {
    headers: { authorization: 'Bearer sk_test_sandbox' },
  })
  expect(await rest.json()).toMatchObject({
    has_more: false,
    data: [{ id: all[10]?.id }, { id: all[11]?.id }],
  })
})

it('the lines of a credit note are cut to ten in the note, and all in their own list', async () => {
  const { invoice } = await paidBy(stripe)
  const note = await stripe.creditNotes.create({
    invoice,
    lines: Array.from({ length: 11 }, (_, index) => ({
      type: 'custom_line_item' as const,
      description: `Part ${index}`,
      quantity: 1,
      unit_amount: 10,
    })),
    credit_amount: 110,
  })
  expect([note.lines.data.length, note.lines.has_more]).toEqual([10, true])
  const lines = await stripe.creditNotes.listLineItems(note.id).autoPagingToArray(everything)
  expect(lines.map(({ description }) => description)).toEqual(
    Array.from({ length: 11 }, (_, index) => `Part ${index}`),
  )
})

it('the items of a subscription, the prices and the line items of a checkout have pages', async () => {
  const { subscription } = await subscribe(stripe)
  const items = await stripe.subscriptionItems.list({ subscription: subscription.id })
  expect([idsOf(items), items.has_more]).toEqual([idsOf(subscription.items), false])
  const [first = ''] = idsOf(await stripe.prices.list({ limit: 1 }))
  const all = idsOf(await stripe.prices.list())
  expect(idsOf(await stripe.prices.list({ starting_after: first }))).toEqual(all.slice(1))
  expect(idsOf(await stripe.products.list({ ending_before: 'prod_sandbox_monthly' }))).toEqual([])
  const [session] = (await stripe.checkout.sessions.list({ limit: 1 })).data
  const sold = await stripe.checkout.sessions.listLineItems(session?.id ?? '')
  expect(
    await stripe.checkout.sessions.listLineItems(session?.id ?? '', {
      starting_after: sold.data[0]?.id ?? '',
    }),
  ).toMatchObject({ data: [], has_more: false })
})
