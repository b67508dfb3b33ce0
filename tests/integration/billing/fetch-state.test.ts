import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import Stripe from 'stripe'
import { fetchStripeState } from '#services/payments/fetch-state'
import { createPlanPrices } from '#services/payments/plan-prices'
import { createPrice, startTestSandbox, type TestSandbox } from '../../support/product/sandbox.ts'
import { advance, paidBy } from '../../support/product/sandbox-money.ts'

/*
 * Stripe's objects contain the first ten entries of a list. The sandbox's objects contain all of
 * them, so the client of this test cuts the lists.
 */

const prices = createPlanPrices({
  monthly: 'price_sandbox_monthly',
  'six-month': 'price_sandbox_six_month',
  annual: 'price_sandbox_annual',
})

/** Cuts the lists inside the listed objects after ten entries. */
function cutLists(answer: unknown): unknown {
  const { data } = answer as { data?: readonly Record<string, unknown>[] }
  if (!Array.isArray(data)) return answer
  const cut = (value: unknown) => {
    const list = value as { object?: string; data?: readonly unknown[] } | null
    return list?.object === 'list' && list.data !== undefined && list.data.length > 10
      ? { ...list, data: list.data.slice(0, 10), has_more: true }
      : value
  }
  return {
    ...(answer as object),
    data: data.map((each: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(Object.entries(each).map(([key, value]) => [key, cut(value)])),
    ),
  }
}

let sandbox: TestSandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await startTestSandbox()
  stripe = new Stripe('sk_test_sandbox', {
    host: '127.0.0.1',
    port: Number(new URL(sandbox.url).port),
    protocol: 'http',
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(async (...request: Parameters<typeof fetch>) => {
      const { url, headers } = new Request(...request)
      // The sandbox has no call for the lines of an invoice: it lists all of them in the invoice.
      const [, invoice] = /^(.*\/v1\/invoices\/\w+)\/lines/.exec(url) ?? []
      if (invoice !== undefined) {
        const { lines } = (await (await fetch(invoice, { headers })).json()) as Stripe.Invoice
        return Response.json(lines)
      }
      const answer = await fetch(...request)
      return Response.json(cutLists(await answer.json()), { status: answer.status })
    }),
  })
})
afterAll(() => sandbox?.close())

const stateOf = (customer: string) =>
  fetchStripeState(stripe, prices, customer, { paidInvoices: new Set() })

describe('the state of a customer', () => {
  it('has every refund of a charge, pending ones too', async () => {
    const { customer, charge } = await paidBy(sandbox.stripe, '4000000000007726')
    await sandbox.stripe.refunds.create({ charge: charge.id, amount: 100 })
    expect((await stateOf(customer)).refunds).toMatchObject([
      { status: 'pending', amount: { amount: 100 }, captured: { amount: 3900 } },
    ])
    for (let amount = 101; amount < 112; amount += 1)
      await sandbox.stripe.refunds.create({ charge: charge.id, amount })
    expect((await stateOf(customer)).refunds.map(({ amount }) => amount.amount)).toEqual(
      Array.from({ length: 12 }, (_, index) => 100 + index),
    )
  })

  it('has every line of an invoice', async () => {
    const { customer, subscription } = await paidBy(sandbox.stripe)
    const [item] = subscription.items.data
    const larger = await createPrice(sandbox.stripe, { unit_amount: 9_900 })
    for (let quantity = 1; quantity <= 6; quantity += 1)
      await sandbox.stripe.subscriptions.update(subscription.id, {
        items: [{ id: item?.id ?? '', price: larger.id, quantity }],
      })
    await advance(sandbox, 'P1M')
    const { invoices, subscriptions } = await stateOf(customer)
    const renewal = invoices.at(-1)
    expect(renewal?.lines).toHaveLength(13)
    expect(renewal?.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(renewal?.amounts.total)
    expect(subscriptions[0]?.prorations).toHaveLength(12)
  })
})
