import { expect, it } from '@jest/globals'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { billingSideOfFile } from '../../support/product/billing-side-of-file.ts'
import { advance } from '../../support/product/sandbox-money.ts'

/*
 * A payment is recorded with all that Stripe states about it. Stripe puts at most ten entries into
 * a list that is inside another object; the product reads the others.
 */

const { sandbox, side } = await billingSideOfFile()

/** Handles the provider's newest event about this customer, as its webhook does. */
async function handleNewestEvent(customer: string) {
  for (const providerEvent of (await side.events.feed.since(null)).toReversed())
    if ((await side.events.owner.customerOf(providerEvent)) === refOf(customer))
      return side.events.handle(providerEvent, 'webhook')
  throw new Error(`The customer ${customer} has no event.`)
}

it('a payment of an invoice with more than ten lines is recorded with all its lines', async () => {
  const { userId, customer } = await side.buy()
  const [subscription] = (await sandbox.stripe.subscriptions.list({ customer })).data
  for (let quantity = 2; quantity < 8; quantity += 1)
    await sandbox.stripe.subscriptions.update(subscription?.id ?? '', {
      items: [{ id: subscription?.items.data[0]?.id ?? '', quantity }],
      proration_behavior: 'create_prorations',
    })
  await advance(sandbox, 'P1M')
  const [invoice] = (await sandbox.stripe.invoices.list({ customer, limit: 1 })).data
  expect([invoice?.lines.data.length, invoice?.lines.has_more]).toEqual([10, true])

  await handleNewestEvent(customer)

  expect(side.calls).toContainEqual(expect.stringContaining(`/v1/invoices/${invoice?.id}/lines`))
  const [lines = []] = (await side.eventsOf(userId))
    .flatMap(({ type, data }) => (type === 'PaymentSucceeded' ? [data.lines] : []))
    .slice(-1)
  expect(lines).toHaveLength(13)
  expect(lines.filter(({ isProration }) => isProration)).toHaveLength(12)
  expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(invoice?.subtotal)
}, 60_000)

it('a payment with more than ten refunds is recorded with all its refunds', async () => {
  const { userId, customer } = await side.buy()
  const [charge] = (await sandbox.stripe.charges.list({ customer })).data
  for (let count = 0; count < 12; count += 1)
    await sandbox.stripe.refunds.create({ charge: charge?.id ?? '', amount: 100 + count })
  side.calls.length = 0

  await handleNewestEvent(customer)

  expect(side.calls).toContainEqual(expect.stringContaining(`/v1/refunds?charge=${charge?.id}`))
  const refunds = (await side.eventsOf(userId)).flatMap(({ type, data }) =>
    type === 'RefundRecorded' ? [data.amount] : [],
  )
  expect(refunds).toEqual(
    Array.from({ length: 12 }, (_, count) => ({ amount: 100 + count, currency: 'usd' })),
  )
}, 60_000)

it('a payment of an invoice with a discount is recorded with the discount and what was paid', async () => {
  const { userId, customer } = await side.buy()
  const [subscription] = (await sandbox.stripe.subscriptions.list({ customer })).data
  const { id: coupon } = await sandbox.stripe.coupons.create({ percent_off: 25 })
  const { id: rate } = await sandbox.stripe.taxRates.create({
    display_name: 'Sales tax',
    inclusive: false,
    percentage: 10,
  })
  await sandbox.stripe.subscriptions.update(subscription?.id ?? '', {
    discounts: [{ coupon }],
    default_tax_rates: [rate],
  })
  await advance(sandbox, 'P1M')

  await handleNewestEvent(customer)

  const [amounts] = (await side.eventsOf(userId))
    .flatMap(({ type, data }) => (type === 'PaymentSucceeded' ? [data.amounts] : []))
    .slice(-1)
  expect(amounts).toEqual({
    currency: 'usd',
    subtotal: 3_900,
    discount: 975,
    tax: 293,
    total: 3_218,
    fromBalance: 0,
    paid: 3_218,
  })
}, 60_000)
