import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { fetchStripeState } from '#services/payments/stripe/fetch-state'
import { createPrice, startTestSandbox, type TestSandbox } from '../../support/product/sandbox.ts'
import { advance, paidBy } from '../../support/product/sandbox-money.ts'
import { prices } from '../../support/data/sandbox-prices.ts'

/* The sandbox cuts the lists inside its objects after ten entries, as Stripe does. */

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox?.close())

const stateOf = (customer: string) =>
  fetchStripeState(sandbox.stripe, prices, customer, { paidInvoices: new Set() })

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

  it('has the coupons without an end and the included tax of a subscription', async () => {
    const { stripe } = sandbox
    const coupon = async (duration: 'forever' | 'once') =>
      (await stripe.coupons.create({ percent_off: 20, duration })).id
    const deductions = async (customer: string) => {
      const [first] = (await stateOf(customer)).subscriptions
      return first?.kind === 'started' ? first.deductions : null
    }
    const { customer, subscription } = await paidBy(stripe)
    expect(await deductions(customer)).toEqual({ discounts: [], includedTax: 0 })
    await stripe.subscriptions.update(subscription.id, {
      discounts: [{ coupon: await coupon('once') }],
    })
    expect(await deductions(customer)).toEqual({ discounts: [], includedTax: 0 })
    await stripe.subscriptions.update(subscription.id, {
      discounts: [{ coupon: await coupon('forever') }],
    })
    const lasting = { discounts: [{ kind: 'share', millionths: 200_000 }], includedTax: 0 }
    expect(await deductions(customer)).toEqual(lasting)

    const taxed = await paidBy(stripe)
    const rate = { display_name: 'VAT', percentage: 19, inclusive: true }
    const { id } = await stripe.taxRates.create(rate)
    await stripe.subscriptions.update(taxed.subscription.id, { default_tax_rates: [id] })
    expect(await deductions(taxed.customer)).toEqual({ discounts: [], includedTax: 190_000 })
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
