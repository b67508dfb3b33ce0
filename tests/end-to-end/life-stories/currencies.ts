import { expect } from '@jest/globals'
import { formatMoney } from '#contracts/format-money'
import { createPrice, createCheckout } from '../../support/product/sandbox.ts'
import { payAt } from '../../support/product/client.ts'
import { signUp, type Customer } from './customer.ts'
import { story } from './story.ts'
import type { World } from './world.ts'

/**
 * A customer who pays at a page that the merchant made for a price in this currency. The plan
 * catalogue does not have the price.
 */
async function buyIn(
  world: World,
  price: { readonly currency: string; readonly unit_amount: number; readonly nickname: string },
): Promise<Customer> {
  const customer = await signUp(world)
  await customer.createCheckout()
  const { stripe } = world.sandbox
  const { id } = await createPrice(stripe, price)
  const { url } = await createCheckout(stripe, await customer.stripeCustomer(), id)
  const { status } = await payAt(url ?? '')
  if (status !== 303) throw new Error(`The checkout page answered ${status}.`)
  return customer
}

interface Expected {
  readonly currency: string
  /** Minor units of the price and of the refund. */
  readonly minor: readonly [price: number, refund: number]
  /** The same in major units. */
  readonly major: readonly [price: number, refund: number]
}

async function refund(customer: Customer, { currency, minor, major }: Expected): Promise<void> {
  expect(await customer.latest('PaymentSucceeded')).toMatchObject({
    amounts: { currency, subtotal: minor[0], total: minor[0], paid: minor[0] },
    lines: [{ amount: minor[0] }],
    planId: null,
  })
  await customer.news()
  const { charge } = await customer.paid()
  await customer.world.sandbox.stripe.refunds.create({ charge, amount: minor[1] })
  await customer.expectNews('RefundRecorded')
  expect(await customer.latest('RefundRecorded')).toMatchObject({
    amount: { amount: minor[1], currency },
    captured: { amount: minor[0], currency },
    kind: 'partial',
  })
  expect(await customer.rows()).toEqual([
    [-major[1], 'succeeded'],
    [major[0], 'paid'],
  ])
  expect((await customer.payments()).refunds).toMatchObject([
    { amount: major[1], original_payment_amount: major[0], currency },
  ])
  const words = formatMoney(major[0], currency)
  await customer.look(async ({ plan, sees, transactions }) => {
    await sees(plan, words, 'Active')
    expect([...(await transactions())].sort()).toEqual([
      `Payment, ${words}, Completed`,
      `Refund, ${formatMoney(-major[1], currency)}, Completed`,
    ])
  })
}

/** Payments and refunds in currencies without decimals and with three. */
export const currencies = story(
  async (world) => ({
    yen: await buyIn(world, { currency: 'jpy', unit_amount: 5_800, nickname: 'Tokyo Plan' }),
    dinar: await buyIn(world, { currency: 'kwd', unit_amount: 12_340, nickname: 'Kuwait Plan' }),
  }),
  [
    {
      day: 'on the first day',
      fact: 'a payment and a refund in yen have no decimals',
      async tell({ yen }) {
        await refund(yen, { currency: 'jpy', minor: [5_800, 1_001], major: [5_800, 1_001] })
        expect(formatMoney(5_800, 'jpy')).toBe('¥5,800')
        expect(await yen.subscriptions()).toMatchObject([{ price: 5_800, plan_name: 'Tokyo Plan' }])
      },
    },
    {
      day: 'on the first day',
      fact: 'a payment and a refund in dinar have three decimals',
      async tell({ dinar }) {
        await refund(dinar, { currency: 'kwd', minor: [12_340, 2_010], major: [12.34, 2.01] })
        expect(await dinar.subscriptions()).toMatchObject([{ price: 12.34 }])
        expect(formatMoney(12.34, 'kwd')).toBe('KWD\u00a012.340')
      },
    },
    {
      day: 'on the first day of the second month',
      fact: 'renewals in yen and dinar charge the same minor units again',
      async tell({ yen, dinar }) {
        for (const [customer, paid] of [
          [yen, 5_800],
          [dinar, 12_340],
        ] as const) {
          // The product's own checkout page, which the customer left open, expires after a day.
          await customer.expectNews('CheckoutExpired', 'SubscriptionRenewed', 'PaymentSucceeded')
          expect(await customer.latest('PaymentSucceeded')).toMatchObject({ amounts: { paid } })
        }
      },
    },
  ],
)
