import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { idOrNull } from '#services/payments/stripe/from-stripe/references'
import { creditIdOf } from '#services/receivables/receivable-id'
import { feeReturnedOf } from '#services/receivables/checkout/checkout-state'
import { feeBackOf, feeOf } from '#contracts/receivables/fee'
import { testContext } from '../../support/data/test-context.ts'
import {
  startPayingSide,
  type PayingClient,
  type PayingSide,
} from '../../support/receivables/paying-side.ts'

/*
 * Refunds and chargebacks of payments over several invoices: what the log says of invoices, credits
 * and the fee is what the provider says of the money. No webhook is delivered.
 */

let side: PayingSide
let on: { readonly stripeAccount: string }
beforeAll(async () => {
  side = await startPayingSide()
  on = { stripeAccount: side.account }
}, 60_000)
afterAll(() => side.close())

/** A client that has paid these invoices on one page with a card. */
async function paid(amounts: readonly number[], card?: string) {
  const client = await side.newClient(...amounts)
  await side.payPage(await client.pay(amounts), card)
  await settle(client)
  const [checkout] = await client.checkouts()
  const charges = await side.stripe.charges.list({ limit: 100 }, on)
  const charge = charges.data.find(
    ({ metadata }) => metadata['checkoutId'] === checkout?.checkoutId,
  )
  if (charge === undefined) throw new Error('The payment has no charge.')
  return { client, total: amounts.reduce((sum, each) => sum + each, 0), charge }
}

type Paid = Awaited<ReturnType<typeof paid>>

/** What webhooks, the comparison of accounts and the reactors do, and then all of it again. */
async function settle(client: PayingClient): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await side.reconcile()
    await client.react()
  }
}

const refund = (
  { charge }: Pick<Paid, 'charge'>,
  amount: number,
  more: Stripe.RefundCreateParams = {},
) => side.stripe.refunds.create({ charge: charge.id, amount, ...more }, on)

/** The log has the provider's money: of invoices and credits, less what credits owe. */
async function expectBooks(
  { client, total, charge }: Paid,
  takenBack: { readonly refunds: number; readonly chargebacks: number },
): Promise<void> {
  const open = (await client.open()).reduce<number>((sum, each) => sum + (each ?? 0), 0)
  const credits = await client.credits()
  const left = credits.reduce((sum, each) => sum + each.left - each.short, 0)
  const { refunds, chargebacks } = takenBack
  expect(total - open + left).toBe(total - refunds - chargebacks)

  const [checkout] = await client.checkouts()
  const fee = checkout?.payment?.fee
  expect(fee?.amount).toBe(feeOf(total, 500))
  const back = feeBackOf(feeOf(total, 500), total, refunds)
  expect(fee && feeReturnedOf(fee)).toBe(back)
  const { application_fee: feeId } = await side.stripe.charges.retrieve(charge.id, {}, on)
  const atProvider = await side.stripe.applicationFees.retrieve(idOrNull(feeId) ?? '')
  expect(atProvider.amount_refunded).toBe(back)
}

describe('refunds of a payment of three invoices', () => {
  it('in parts, with and without the fee, return the share of the fee once', async () => {
    const payment = await paid([10_001, 3_333, 777])
    const { client } = payment
    await expectBooks(payment, { refunds: 0, chargebacks: 0 })
    await refund(payment, 500)
    await settle(client)
    expect(await client.open()).toEqual([0, 0, 500])
    await expectBooks(payment, { refunds: 500, chargebacks: 0 })

    // Two between two looks, one of which returns its share by itself.
    await refund(payment, 1_000, { refund_application_fee: true })
    await refund(payment, 333)
    await settle(client)
    expect(await client.open()).toEqual([0, 1_056, 777])
    await expectBooks(payment, { refunds: 1_833, chargebacks: 0 })

    await refund(payment, 10_001 + 3_333 + 777 - 1_833)
    await settle(client)
    expect(await client.open()).toEqual([10_001, 3_333, 777])
    await expectBooks(payment, { refunds: payment.total, chargebacks: 0 })
  }, 60_000)

  it('of a cent many times give and take no cent in sum', async () => {
    const payment = await paid([990])
    for (let cents = 1; cents <= 4; cents += 1) {
      await refund(payment, 1)
      await settle(payment.client)
      await expectBooks(payment, { refunds: cents, chargebacks: 0 })
    }
    await refund(payment, 986)
    await settle(payment.client)
    await expectBooks(payment, { refunds: 990, chargebacks: 0 })
  }, 60_000)

  it('that the provider could not return are paid again', async () => {
    const payment = await paid([6_000, 4_000], '4000000000005126')
    await refund(payment, 7_000)
    await settle(payment.client)
    const [made] = (await side.stripe.refunds.list({ charge: payment.charge.id }, on)).data
    await side.sandbox.post('/clock/advance', { by: 'P1DT1H' })
    const failed = await side.stripe.refunds.retrieve(made?.id ?? '', {}, on)
    await settle(payment.client)
    expect(failed.status).toBe('failed')
    expect(await payment.client.open()).toEqual([0, 0])
    // What is there again can go back again.
    await refund(payment, 5_000)
    await settle(payment.client)
    expect(await payment.client.open()).toEqual([1_000, 4_000])
  }, 60_000)
})

describe('a payment above what was open', () => {
  /** The second invoice is used up by the credit of a page that stayed open. */
  async function surplus() {
    const client = await side.newClient(9_900, 9_000)
    const page = await client.pay([9_900])
    const [first, second] = client.ids
    if (first === undefined || second === undefined) throw new Error('The client has no invoices.')
    const byHand = {
      paymentId: 'payment_by_hand',
      date: side.today(),
      amount: 9_900,
      method: 'check' as const,
      note: null,
    }
    await side.product.receivables.actOnReceivable(
      side.merchantId,
      first,
      {
        type: 'record-payment',
        payment: byHand,
        openSeen: 9_900,
        surplusBecomesCredit: false,
        isEstimated: false,
      },
      testContext(),
    )
    await side.payPage(page)
    await side.reconcile()
    const [credit] = await client.credits()
    return { client, page, first, second, credit }
  }

  it('is a credit, and what was used of it is owed after a refund', async () => {
    const { client, second, credit } = await surplus()
    expect(credit).toMatchObject({ left: 9_900, short: 0 })
    const [checkout] = await client.checkouts()
    const creditId = [...(await client.state()).credits.keys()][0] ?? creditIdOf('')
    await side.product.receivables.useCredit(
      side.merchantId,
      second,
      { creditId, amount: 9_000 },
      testContext(),
    )
    expect(await client.open()).toEqual([0, 0])
    const charges = await side.stripe.charges.list({ limit: 100 }, on)
    const charge = charges.data.find(
      ({ metadata }) => metadata['checkoutId'] === checkout?.checkoutId,
    )
    if (charge === undefined) throw new Error('The payment has no charge.')
    await refund({ charge }, 9_900)
    await settle(client)
    expect(await client.credits()).toMatchObject([{ left: 0, short: 9_000 }])
    expect(await client.open()).toEqual([0, 0])
  }, 60_000)
})

describe('a chargeback', () => {
  const disputeOf = async ({ charge }: Paid) =>
    (await side.stripe.disputes.list({ charge: charge.id }, on)).data[0]

  it('that the merchant wins is paid again, and no reminder asks meanwhile', async () => {
    const payment = await paid([6_000, 4_000], '4000000000000259')
    await settle(payment.client)
    expect(await payment.client.open()).toEqual([6_000, 4_000])
    await expectBooks(payment, { refunds: 0, chargebacks: 10_000 })
    const dispute = await disputeOf(payment)
    await side.stripe.disputes.update(
      dispute?.id ?? '',
      { evidence: { uncategorized_text: 'winning_evidence' }, submit: true },
      on,
    )
    await settle(payment.client)
    expect(await payment.client.open()).toEqual([0, 0])
    await expectBooks(payment, { refunds: 0, chargebacks: 0 })

    await refund(payment, 7_000)
    await settle(payment.client)
    expect(await payment.client.open()).toEqual([3_000, 4_000])
    await expectBooks(payment, { refunds: 7_000, chargebacks: 0 })
  }, 60_000)

  it('after a refund takes what is left of the payment, and gives it back if it is won', async () => {
    const payment = await paid([6_000, 4_000])
    await refund(payment, 3_000)
    // No webhook of the refund has come.
    const bank = (action: 'dispute' | 'win') =>
      fetch(`${side.sandbox.url}/dashboard/${side.account}/payments/${payment.charge.id}`, {
        method: 'POST',
        body: new URLSearchParams({ action }),
        redirect: 'manual',
      })
    expect((await bank('dispute')).status).toBe(303)
    await settle(payment.client)
    expect(await payment.client.open()).toEqual([6_000, 4_000])
    await expectBooks(payment, { refunds: 3_000, chargebacks: 7_000 })
    expect((await payment.client.events()).map(({ type }) => type)).toContain('ReceivableDisputed')
    expect((await bank('win')).status).toBe(303)
    await settle(payment.client)
    expect(await payment.client.open()).toEqual([0, 3_000])
    await expectBooks(payment, { refunds: 3_000, chargebacks: 0 })
  }, 60_000)

  it('that the merchant loses keeps the fee, and the invoices stay open', async () => {
    const payment = await paid([6_000, 4_000], '4000000000000259')
    const dispute = await disputeOf(payment)
    await side.stripe.disputes.close(dispute?.id ?? '', {}, on)
    await settle(payment.client)
    expect(await payment.client.open()).toEqual([6_000, 4_000])
    await expectBooks(payment, { refunds: 0, chargebacks: 10_000 })
    const events = await payment.client.events()
    expect(events.filter(({ type }) => type === 'ClientChargebackLost')).toHaveLength(1)
    expect(events.filter(({ type }) => type === 'ReceivableDisputed')).toHaveLength(2)
  }, 60_000)
})
