import { describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { idOf } from '#services/sandbox/store/stripe-objects'
import {
  connectAccount,
  payOnAccount,
  paymentParams,
} from '../../support/product/connected-accounts.ts'
import { payAt } from '../../support/product/client.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'

const { sandbox, stripe, advance } = await sandboxOfFile()
// A balance becomes available at midnight: no test runs across it by chance.
await sandbox.post('/clock/advance', {
  to: new Date((Math.floor(Date.now() / 86_400_000) + 1.5) * 86_400_000).toISOString(),
})

/** 2.9 % of 120.00 and 30 cents. */
const stripeFee = 378

const movementsOf = async (
  stripeAccount: string,
  params: Stripe.BalanceTransactionListParams = {},
) => (await stripe.balanceTransactions.list({ limit: 100, ...params }, { stripeAccount })).data

describe('the balance of a connected account', () => {
  it('has a payment without Stripe’s fee and the platform’s fee', async () => {
    const stripeAccount = await connectAccount(stripe)
    const { session } = await payOnAccount(stripe, stripeAccount)
    const paid = await stripe.checkout.sessions.retrieve(
      session.id,
      {
        expand: [
          'payment_intent.latest_charge.balance_transaction',
          'payment_intent.latest_charge.application_fee',
        ],
      },
      { stripeAccount },
    )
    const intent = paid.payment_intent as Stripe.PaymentIntent
    const charge = intent.latest_charge as Stripe.Charge
    expect(charge.balance_transaction).toMatchObject({
      object: 'balance_transaction',
      type: 'charge',
      amount: 12_000,
      fee: 600 + stripeFee,
      net: 12_000 - 600 - stripeFee,
      status: 'pending',
      source: charge.id,
      fee_details: [
        { type: 'application_fee', amount: 600 },
        { type: 'stripe_fee', amount: stripeFee },
      ],
    })
    expect(charge.application_fee).toMatchObject({ object: 'application_fee', amount: 600 })
    const [moved] = await movementsOf(stripeAccount, { expand: ['data.source'] })
    expect(moved?.source).toMatchObject({ object: 'charge', id: charge.id })
    const fee = await stripe.applicationFees.retrieve(idOf(charge.application_fee ?? ''), {
      expand: ['charge.balance_transaction', 'account'],
    })
    expect(fee).toMatchObject({
      account: { id: stripeAccount },
      charge: { id: charge.id, balance_transaction: { net: 12_000 - 600 - stripeFee } },
    })
    expect(moved).not.toHaveProperty('sandbox')
  })

  it('has refunds with the fee’s share, failed refunds and disputes', async () => {
    const stripeAccount = await connectAccount(stripe)
    const { charge } = await payOnAccount(stripe, stripeAccount)
    const { id } = await stripe.refunds.create(
      { charge: charge.id, amount: 6_000, refund_application_fee: true },
      { stripeAccount },
    )
    const refund = await stripe.refunds.retrieve(
      id,
      { expand: ['balance_transaction'] },
      { stripeAccount },
    )
    expect(refund.balance_transaction).toMatchObject({
      type: 'refund',
      amount: -6_000,
      fee: -300,
      net: -5_700,
    })
    await stripe.applicationFees.createRefund(idOf(charge.application_fee ?? ''), { amount: 100 })

    const failing = await payOnAccount(stripe, stripeAccount, { card: '4000000000005126' })
    await stripe.refunds.create({ charge: failing.charge.id, amount: 1_000 }, { stripeAccount })
    await payOnAccount(stripe, stripeAccount, { card: '4000000000000259' })
    await advance('P2D')
    expect(
      (await movementsOf(stripeAccount))
        .filter(({ type }) => type !== 'payout')
        .map(({ type, amount, fee }) => [type, amount, fee]),
    ).toEqual([
      ['refund_failure', 1_000, 0],
      ['adjustment', -12_000, 1_500],
      ['charge', 12_000, 600 + stripeFee],
      ['refund', -1_000, 0],
      ['charge', 12_000, 600 + stripeFee],
      ['adjustment', 100, 0],
      ['refund', -6_000, -300],
      ['charge', 12_000, 600 + stripeFee],
    ])
    const { data } = await stripe.disputes.list({}, { stripeAccount })
    expect(data).toMatchObject([
      { status: 'needs_response', amount: 12_000, balance_transactions: [{ net: -13_500 }] },
    ])
  })

  it('is paid out daily, and what was paid out adds up', async () => {
    const stripeAccount = await connectAccount(stripe)
    await payOnAccount(stripe, stripeAccount)
    await payOnAccount(stripe, stripeAccount)
    await advance('P1D')
    expect((await stripe.payouts.list({}, { stripeAccount })).data).toEqual([])
    await payOnAccount(stripe, stripeAccount)
    await advance('P2D')
    const net = 12_000 - 600 - stripeFee
    const { data: payouts } = await stripe.payouts.list({}, { stripeAccount })
    expect(payouts.map(({ amount, status }) => [amount, status])).toEqual([
      [net, 'in_transit'],
      [2 * net, 'paid'],
    ])
    const inPayout = await movementsOf(stripeAccount, { payout: payouts[1]?.id ?? '' })
    expect(inPayout.map(({ type, net: amount }) => [type, amount])).toEqual([
      ['payout', -2 * net],
      ['charge', net],
      ['charge', net],
    ])
    expect(new Set(inPayout.map(({ status }) => status))).toEqual(new Set(['available']))
    const types = (await stripe.events.list({ limit: 3 }, { stripeAccount })).data.map(
      ({ type }) => type,
    )
    expect(types).toEqual(['payout.paid', 'payout.created', 'payout.created'])
  })

  it('is not paid out while it is negative', async () => {
    const stripeAccount = await connectAccount(stripe)
    const { charge } = await payOnAccount(stripe, stripeAccount)
    await stripe.refunds.create({ charge: charge.id }, { stripeAccount })
    await advance('P3D')
    expect((await stripe.payouts.list({}, { stripeAccount })).data).toEqual([])
    await payOnAccount(stripe, stripeAccount)
    await advance('P3D')
    expect((await stripe.payouts.list({}, { stripeAccount })).data).toMatchObject([
      { amount: 12_000 - 2 * (600 + stripeFee) },
    ])
  })

  it('of the platform is not simulated', async () => {
    await expect(stripe.balanceTransactions.list()).rejects.toMatchObject({ statusCode: 404 })
    await expect(stripe.payouts.list()).rejects.toMatchObject({ statusCode: 404 })
  })
})

describe('the lists of a connected account', () => {
  it('are read page by page, and from a time on', async () => {
    const stripeAccount = await connectAccount(stripe)
    const options = { stripeAccount }
    const early = await payOnAccount(stripe, stripeAccount)
    await advance('PT1H')
    const since = early.charge.created + 60
    const late = [
      await payOnAccount(stripe, stripeAccount),
      await payOnAccount(stripe, stripeAccount),
    ]
    for (const { charge } of [early, ...late])
      await stripe.refunds.create({ charge: charge.id, amount: 100 }, options)
    const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)
    const charges = await stripe.charges.list({ limit: 1 }, options).autoPagingToArray({ limit: 9 })
    expect(ids(charges)).toEqual(ids([...late.toReversed(), early].map(({ charge }) => charge)))
    expect(ids((await stripe.charges.list({ created: { gte: since } }, options)).data)).toEqual(
      ids(late.toReversed().map(({ charge }) => charge)),
    )
    const sessions = await stripe.checkout.sessions
      .list({ limit: 2 }, options)
      .autoPagingToArray({ limit: 9 })
    expect(ids(sessions)).toEqual(ids([...late.toReversed(), early].map(({ session }) => session)))
    const [last] = late
    expect(
      (await stripe.checkout.sessions.list({ payment_intent: last?.intent.id ?? '' }, options))
        .data,
    ).toMatchObject([{ id: last?.session.id }])
    expect((await stripe.refunds.list({ created: { gte: since } }, options)).data).toHaveLength(3)
    const fees = await stripe.applicationFees
      .list({ limit: 2, created: { gte: since } })
      .autoPagingToArray({ limit: 9 })
    expect(fees.filter(({ account }) => account === stripeAccount)).toHaveLength(2)
  })
})

describe('the pages of merchants', () => {
  const post = async (url: string, form: Record<string, string>) => {
    const response = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'manual',
    })
    return { status: response.status, text: await response.text() }
  }
  const addressOf = async (stripeAccount: string) =>
    `${new URL((await stripe.checkout.sessions.create(paymentParams(), { stripeAccount })).url ?? '').origin}/dashboard/${stripeAccount}`

  it('refund a payment without the product, with and without the fee', async () => {
    const stripeAccount = await connectAccount(stripe)
    const { charge } = await payOnAccount(stripe, stripeAccount)
    const merchant = await addressOf(stripeAccount)
    const page = `${merchant}/payments/${charge.id}`
    expect(await (await fetch(merchant)).text()).toContain('$120.00')
    expect(await (await fetch(new URL('/dashboard', merchant))).text()).toContain(stripeAccount)
    expect((await post(page, { action: 'refund', amount: '20.00' })).status).toBe(303)
    expect(await post(page, { action: 'refund', amount: '120' })).toEqual({
      status: 422,
      text: expect.stringContaining(
        'Refund amount ($120.00) is greater than unrefunded amount on charge ($100.00)',
      ) as unknown,
    })
    expect((await post(page, { action: 'refund', amount: 'ten' })).status).toBe(422)
    expect((await post(page, { action: 'refund', refundsFee: 'yes' })).status).toBe(303)
    const { data } = await stripe.refunds.list({ charge: charge.id }, { stripeAccount })
    expect(data.map(({ amount }) => amount)).toEqual([10_000, 2_000])
    const fee = await stripe.applicationFees.retrieve(idOf(charge.application_fee ?? ''))
    expect(fee.amount_refunded).toBe(500)
    expect(await (await fetch(page)).text()).toContain('Nothing can be refunded.')
  })

  it.each([
    ['win', 'won', 2],
    ['lose', 'lost', 1],
  ])('open a dispute and let the merchant %s it', async (action, status, movements) => {
    const stripeAccount = await connectAccount(stripe)
    const { charge } = await payOnAccount(stripe, stripeAccount)
    const page = `${await addressOf(stripeAccount)}/payments/${charge.id}`
    expect((await post(page, { action: 'dispute' })).status).toBe(303)
    expect((await post(page, { action: 'dispute' })).status).toBe(422)
    expect((await post(page, { action })).status).toBe(303)
    expect((await post(page, { action })).status).toBe(422)
    const { data } = await stripe.disputes.list({ charge: charge.id }, { stripeAccount })
    expect(data).toMatchObject([{ status }])
    expect(data[0]?.balance_transactions).toHaveLength(movements)
    const [closed] = (
      await stripe.events.list({ type: 'charge.dispute.closed' }, { stripeAccount })
    ).data
    expect(closed).toMatchObject({ account: stripeAccount, data: { object: { status } } })
  })

  it('close an inquiry without moving money', async () => {
    const stripeAccount = await connectAccount(stripe)
    const { charge } = await payOnAccount(stripe, stripeAccount)
    const page = `${await addressOf(stripeAccount)}/payments/${charge.id}`
    await post(page, { action: 'inquire' })
    await post(page, { action: 'win' })
    const { data } = await stripe.disputes.list({ charge: charge.id }, { stripeAccount })
    expect(data).toMatchObject([{ status: 'warning_closed', balance_transactions: [] }])
  })

  it('take the payments away, give them back and remove the platform’s access', async () => {
    const stripeAccount = await connectAccount(stripe)
    const merchant = await addressOf(stripeAccount)
    const { url } = await stripe.checkout.sessions.create(paymentParams(), { stripeAccount })
    await post(merchant, { action: 'more' })
    expect((await stripe.accounts.retrieve(stripeAccount)).charges_enabled).toBe(false)
    expect((await payAt(url ?? '')).status).toBe(402)
    await post(merchant, { action: 'finish' })
    expect(await stripe.accounts.retrieve(stripeAccount)).toMatchObject({
      charges_enabled: true,
      business_profile: { name: 'Birchwood Dental Group' },
    })
    expect((await payAt(url ?? '')).status).toBe(303)
    await post(merchant, { action: 'deauthorize' })
    await expect(stripe.accounts.retrieve(stripeAccount)).rejects.toMatchObject({
      code: 'account_invalid',
    })
    expect(await (await fetch(merchant)).text()).toContain('Disconnected')
  })

  it('find no payment of another merchant', async () => {
    const [mine, other] = [await connectAccount(stripe), await connectAccount(stripe)]
    const { charge } = await payOnAccount(stripe, mine)
    const page = `${await addressOf(other)}/payments/${charge.id}`
    expect((await fetch(page)).status).toBe(404)
    await post(page, { action: 'refund' })
    expect((await stripe.refunds.list({}, { stripeAccount: mine })).data).toEqual([])
  })
})
