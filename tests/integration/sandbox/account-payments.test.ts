import { describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { idOf } from '#services/sandbox/store/stripe-objects'
import { payAt } from '../../support/product/client.ts'
import {
  connectAccount,
  createAccount,
  openOnboarding,
  payOnAccount,
  paymentParams,
  pressAt,
} from '../../support/product/connected-accounts.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'
import { subscribe } from '../../support/product/sandbox.ts'

const { stripe, advance } = await sandboxOfFile()
const feeOf = ({ application_fee: fee }: Stripe.Charge) => idOf(fee ?? '')

describe('a payment on a connected account', () => {
  it('is a charge of the account, with the platform’s fee', async () => {
    const stripeAccount = await connectAccount(stripe)
    const { session, intent, charge } = await payOnAccount(stripe, stripeAccount)
    expect(session).toMatchObject({
      mode: 'payment',
      status: 'complete',
      payment_status: 'paid',
      amount_total: 12_000,
      currency: 'usd',
      client_reference_id: 'checkout-7',
      metadata: { checkoutId: 'checkout-7' },
      customer: null,
      subscription: null,
      invoice: null,
      customer_details: { email: 'dana@example.com', name: 'Dana Whitlock' },
    })
    expect(intent).toMatchObject({
      status: 'succeeded',
      amount_received: 12_000,
      application_fee_amount: 600,
      metadata: { checkoutId: 'checkout-7' },
      setup_future_usage: null,
      customer: null,
    })
    expect(charge).toMatchObject({
      paid: true,
      amount: 12_000,
      application_fee_amount: 600,
      metadata: { checkoutId: 'checkout-7' },
      customer: null,
      payment_intent: intent.id,
    })
    const fee = await stripe.applicationFees.retrieve(feeOf(charge))
    expect(fee).toMatchObject({
      account: stripeAccount,
      amount: 600,
      amount_refunded: 0,
      charge: charge.id,
      refunded: false,
    })
    expect((await stripe.applicationFees.list({ charge: charge.id })).data).toEqual([fee])
    const types = (await stripe.events.list({ limit: 5 }, { stripeAccount })).data.map(
      ({ type, account }) => [type, account],
    )
    expect(types).toEqual([
      ['checkout.session.completed', stripeAccount],
      ['payment_intent.succeeded', stripeAccount],
      ['charge.succeeded', stripeAccount],
      ['payment_intent.created', stripeAccount],
      ['account.updated', stripeAccount],
    ])
    expect((await stripe.events.list({ limit: 1 })).data[0]).toMatchObject({
      type: 'application_fee.created',
      data: { object: { id: fee.id } },
    })
  })

  it('is invisible to the platform and to other accounts, and so are theirs to it', async () => {
    const [mine, other] = [await connectAccount(stripe), await connectAccount(stripe)]
    const { session, intent, charge } = await payOnAccount(stripe, mine)
    const { customer } = await subscribe(stripe)
    const [ofPlatform] = (await stripe.charges.list({ customer })).data
    for (const options of [{}, { stripeAccount: other }]) {
      const missing = { statusCode: 404, code: 'resource_missing' }
      await expect(
        stripe.checkout.sessions.retrieve(session.id, {}, options),
      ).rejects.toMatchObject(missing)
      await expect(stripe.paymentIntents.retrieve(intent.id, {}, options)).rejects.toMatchObject(
        missing,
      )
      await expect(stripe.charges.retrieve(charge.id, {}, options)).rejects.toMatchObject(missing)
      await expect(stripe.refunds.create({ charge: charge.id }, options)).rejects.toMatchObject({
        statusCode: 400,
        code: 'resource_missing',
      })
      expect(
        (await stripe.charges.list({ limit: 100 }, options)).data.map(({ id }) => id),
      ).not.toContain(charge.id)
    }
    await expect(
      stripe.charges.retrieve(ofPlatform?.id ?? '', {}, { stripeAccount: mine }),
    ).rejects.toMatchObject({ statusCode: 404 })
    expect((await stripe.charges.list({}, { stripeAccount: mine })).data).toMatchObject([
      { id: charge.id },
    ])
  })

  it('counts an idempotency key per account', async () => {
    const [mine, other] = [await connectAccount(stripe), await connectAccount(stripe)]
    const create = (stripeAccount: string) =>
      stripe.checkout.sessions.create(paymentParams(), { stripeAccount, idempotencyKey: 'one' })
    const [first, again, elsewhere] = [await create(mine), await create(mine), await create(other)]
    expect(again.id).toBe(first.id)
    expect(elsewhere.id).not.toBe(first.id)
  })

  it('is refused on an account that cannot charge', async () => {
    const { id: stripeAccount } = await createAccount(stripe)
    await expect(
      stripe.checkout.sessions.create(paymentParams(), { stripeAccount }),
    ).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringMatching(/^Your account cannot currently make charges/) as unknown,
    })
  })

  it('is refused if the account could convert its amount into another currency', async () => {
    const stripeAccount = await connectAccount(stripe)
    const { adaptive_pricing: off, ...params } = paymentParams()
    await expect(stripe.checkout.sessions.create(params, { stripeAccount })).rejects.toMatchObject({
      statusCode: 400,
      param: 'adaptive_pricing',
    })
    await expect(
      stripe.checkout.sessions.create(
        { ...params, adaptive_pricing: { enabled: true } },
        { stripeAccount },
      ),
    ).rejects.toMatchObject({ statusCode: 400, param: 'adaptive_pricing[enabled]' })
    const session = await stripe.checkout.sessions.create(paymentParams(), { stripeAccount })
    expect(session.adaptive_pricing).toEqual(off)
  })

  it('of several lines has their sum, and its lines can be listed', async () => {
    const stripeAccount = await connectAccount(stripe)
    const line = (name: string, unit_amount: number, quantity = 1) => ({
      price_data: { currency: 'usd', unit_amount, product_data: { name } },
      quantity,
    })
    const { id } = await stripe.checkout.sessions.create(
      paymentParams({ line_items: [line('Invoice 1', 5_000), line('Invoice 2', 250, 2)] }),
      { stripeAccount },
    )
    const session = await stripe.checkout.sessions.retrieve(
      id,
      { expand: ['line_items.data.price.product'] },
      { stripeAccount },
    )
    expect(session.amount_total).toBe(5_500)
    expect(session.line_items?.data).toMatchObject([
      { description: 'Invoice 1', amount_total: 5_000, price: { product: { name: 'Invoice 1' } } },
      { description: 'Invoice 2', amount_total: 500, quantity: 2 },
    ])
    const { data } = await stripe.checkout.sessions.listLineItems(id, {}, { stripeAccount })
    expect(data).toHaveLength(2)
  })

  it.each([
    ['a fee on the platform itself', {}, undefined, 'payment_intent_data[application_fee_amount]'],
    [
      'a fee above the amount',
      { payment_intent_data: { application_fee_amount: 12_001 } },
      'account',
      'payment_intent_data[application_fee_amount]',
    ],
    [
      'a payment of nothing',
      {
        line_items: [
          { price_data: { currency: 'usd', unit_amount: 0, product_data: { name: 'Gift' } } },
        ],
      },
      'account',
      'line_items',
    ],
    [
      'data of a subscription',
      { subscription_data: { description: 'A plan' } },
      'account',
      'subscription_data',
    ],
    [
      'a plan',
      { line_items: [{ price: 'price_sandbox_monthly' }] },
      'account',
      'line_items[0][price]',
    ],
    [
      'a line without a price',
      { line_items: [{ quantity: 1 }] },
      'account',
      'line_items[0][price_data]',
    ],
  ])('refuses %s', async (_what, params, where, param) => {
    const options = where === undefined ? {} : { stripeAccount: await connectAccount(stripe) }
    await expect(
      stripe.checkout.sessions.create(paymentParams(params), options),
    ).rejects.toMatchObject({ statusCode: 400, param })
  })

  it('expires by a call and by time, and releases nothing that was paid', async () => {
    const stripeAccount = await connectAccount(stripe)
    const open = () =>
      stripe.checkout.sessions.create(paymentParams({ expires_at: undefined }), { stripeAccount })
    const [byCall, byTime] = [await open(), await open()]
    expect(await stripe.checkout.sessions.expire(byCall.id, {}, { stripeAccount })).toMatchObject({
      status: 'expired',
      url: null,
    })
    await advance('P1D')
    expect(await stripe.checkout.sessions.retrieve(byTime.id, {}, { stripeAccount })).toMatchObject(
      { status: 'expired', payment_status: 'unpaid' },
    )
    const { data } = await stripe.events.list(
      { type: 'checkout.session.expired' },
      { stripeAccount },
    )
    expect(data.map((event) => event.account)).toEqual([stripeAccount, stripeAccount])
    expect((await payAt(byCall.url ?? '')).status).toBe(410)
  })
})

describe('a payment on the platform', () => {
  it('has no fee and no merchant, and belongs to its customer', async () => {
    const { id: customer } = await stripe.customers.create({ email: 'client@example.com' })
    const { id, url } = await stripe.checkout.sessions.create(
      paymentParams({ customer, customer_email: undefined, payment_intent_data: undefined }),
    )
    expect(await (await fetch(url ?? '')).text()).toContain('Invoice 2026-0117')
    expect((await payAt(url ?? '')).status).toBe(303)
    const session = await stripe.checkout.sessions.retrieve(id, {
      expand: ['payment_intent.latest_charge'],
    })
    expect(session).toMatchObject({
      payment_status: 'paid',
      customer,
      payment_intent: {
        customer,
        application: null,
        latest_charge: { customer, application_fee: null, balance_transaction: null },
      },
    })
    expect((await stripe.subscriptions.list({ customer })).data).toEqual([])
  })
})

describe('a payment whose outcome comes later', () => {
  it.each([
    {
      card: '4000000000001778',
      type: 'checkout.session.async_payment_succeeded',
      session: { status: 'complete', payment_status: 'paid' },
      intent: { status: 'succeeded', amount_received: 12_000 },
      charge: { status: 'succeeded', paid: true, application_fee: expect.any(String) as unknown },
    },
    {
      card: '4000000000006785',
      type: 'checkout.session.async_payment_failed',
      session: { status: 'complete', payment_status: 'unpaid' },
      intent: { status: 'requires_payment_method', amount_received: 0 },
      charge: { status: 'failed', paid: false, application_fee: null },
    },
  ])('ends with $type after a day', async ({ card, type, ...outcome }) => {
    const stripeAccount = await connectAccount(stripe)
    const { session, intent, charge } = await payOnAccount(stripe, stripeAccount, { card })
    expect(session).toMatchObject({ status: 'complete', payment_status: 'unpaid' })
    expect(intent).toMatchObject({ status: 'processing', amount_received: 0 })
    expect(intent).not.toHaveProperty('sandbox')
    expect(charge).toMatchObject({ status: 'pending', paid: false, application_fee: null })
    await expect(
      stripe.refunds.create({ charge: charge.id }, { stripeAccount }),
    ).rejects.toMatchObject({ statusCode: 400 })
    await advance('P1D')
    const options = { stripeAccount }
    expect(await stripe.checkout.sessions.retrieve(session.id, {}, options)).toMatchObject(
      outcome.session,
    )
    expect(await stripe.paymentIntents.retrieve(intent.id, {}, options)).toMatchObject(
      outcome.intent,
    )
    expect(await stripe.charges.retrieve(charge.id, {}, options)).toMatchObject(outcome.charge)
    const [event] = (await stripe.events.list({ limit: 1 }, options)).data
    expect(event).toMatchObject({ type, account: stripeAccount, data: { object: outcome.session } })
    expect((await stripe.applicationFees.list({ charge: charge.id })).data).toHaveLength(
      outcome.charge.paid ? 1 : 0,
    )
  })
})

describe('the page of a payment', () => {
  const openOn = async (stripeAccount: string) =>
    stripe.checkout.sessions.create(paymentParams(), { stripeAccount })

  it('shows the merchant, the lines and the total, and neither the fee nor a subscription', async () => {
    const { url } = await openOn(await connectAccount(stripe))
    const html = await (await fetch(url ?? '')).text()
    expect(html).toContain('Pay Birchwood Dental Group')
    expect(html).toContain('Invoice 2026-0117')
    expect(html).toContain('$120.00')
    expect(html).toContain('client@example.com')
    expect(html).not.toMatch(/\$6\.00|subscri|Agile/i)
  })

  it('keeps the checkout open for another card after a decline', async () => {
    const stripeAccount = await connectAccount(stripe)
    const { id, url } = await openOn(stripeAccount)
    expect((await payAt(url ?? '', '4000000000000002')).status).toBe(402)
    expect(await payAt(url ?? '')).toEqual({
      status: 303,
      location: `http://localhost:3000/paid?session_id=${id}`,
    })
    const { data } = await stripe.charges.list({}, { stripeAccount })
    expect(data.map(({ status, application_fee }) => [status, application_fee])).toEqual([
      ['succeeded', expect.stringMatching(/^fee_/)],
      ['failed', null],
    ])
    expect(new Set(data.map(({ payment_intent }) => payment_intent)).size).toBe(1)
  })

  it.each(['more', 'deauthorize'] as const)(
    'charges nothing after the account lost its charges (%s)',
    async (action) => {
      const stripeAccount = await connectAccount(stripe)
      const { url } = await openOn(stripeAccount)
      await pressAt(await openOnboarding(stripe, stripeAccount), action)
      const response = await fetch(url ?? '', {
        method: 'POST',
        body: new URLSearchParams({
          email: 'client@example.com',
          cardNumber: '4242424242424242',
          expiry: '08 / 32',
          cvc: '123',
          name: 'A Client',
          country: 'US',
          postalCode: '55802',
        }),
      })
      expect([response.status, await response.text()]).toEqual([
        402,
        expect.stringContaining('cannot take card payments at present. Nothing was charged.'),
      ])
    },
  )
})

describe('a refund on a connected account', () => {
  it('returns the fee only if the caller asks for it, in proportion', async () => {
    const stripeAccount = await connectAccount(stripe)
    const { charge } = await payOnAccount(stripe, stripeAccount)
    const fee = feeOf(charge)
    const refund = (params: { amount?: number; refund_application_fee?: boolean }) =>
      stripe.refunds.create({ charge: charge.id, ...params }, { stripeAccount })
    const refunded = async () => (await stripe.applicationFees.retrieve(fee)).amount_refunded

    const kept = await refund({ amount: 3_000 })
    expect([kept.status, await refunded()]).toEqual(['succeeded', 0])
    await refund({ amount: 1_111, refund_application_fee: true })
    expect(await refunded()).toBe(56)
    await refund({ refund_application_fee: true })
    // 600 of 12,000, of which 3,000 were refunded without their share.
    expect(await refunded()).toBe(450)
    expect((await stripe.refunds.list({ charge: charge.id }, { stripeAccount })).data).toHaveLength(
      3,
    )
    expect(await stripe.refunds.retrieve(kept.id, {}, { stripeAccount })).toMatchObject({
      amount: 3_000,
    })

    const rest = await stripe.applicationFees.createRefund(fee, { metadata: { reason: 'rest' } })
    expect(rest).toMatchObject({ amount: 150, fee, metadata: { reason: 'rest' } })
    expect(await stripe.applicationFees.retrieve(fee)).toMatchObject({
      amount_refunded: 600,
      refunded: true,
    })
    const { data } = await stripe.applicationFees.listRefunds(fee)
    expect(data.map(({ amount }) => amount)).toEqual([150, 394, 56])
    await expect(stripe.applicationFees.createRefund(fee)).rejects.toMatchObject({
      statusCode: 400,
    })
  })

  it('reports its events with the account, and the fee’s refund on the platform', async () => {
    const stripeAccount = await connectAccount(stripe)
    const { charge } = await payOnAccount(stripe, stripeAccount)
    await stripe.refunds.create(
      { charge: charge.id, refund_application_fee: true },
      { stripeAccount },
    )
    const { data } = await stripe.events.list({ limit: 2 }, { stripeAccount })
    expect(data).toMatchObject([
      { type: 'charge.refunded', account: stripeAccount },
      { type: 'refund.created', account: stripeAccount },
    ])
    const [event] = (await stripe.events.list({ limit: 1 })).data
    expect(event).toMatchObject({
      type: 'application_fee.refunded',
      data: { object: { id: charge.application_fee, amount_refunded: 600 } },
    })
    expect(event).not.toHaveProperty('account')
  })

  it('of a charge without a fee cannot return one', async () => {
    const stripeAccount = await connectAccount(stripe)
    const { charge } = await payOnAccount(stripe, stripeAccount, { payment_intent_data: {} })
    expect(charge).toMatchObject({ application_fee: null, application_fee_amount: null })
    await expect(
      stripe.refunds.create({ charge: charge.id, refund_application_fee: true }, { stripeAccount }),
    ).rejects.toMatchObject({ param: 'refund_application_fee' })
    expect((await stripe.refunds.list({}, { stripeAccount })).data).toEqual([])
  })
})
