import { describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { idOf } from '#services/sandbox/store/stripe-objects'
import { eventsOf, eventTypesOf, paidBy } from '../../support/product/sandbox-money.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'

const { stripe, advance } = await sandboxOfFile()

const pendingFirst = '4000000000007726'
const failsLater = '4000000000005126'
const requiresAction = '4000000000004335'

describe('a refund to a card that pays back later', () => {
  it('is pending, reserves its amount on the charge, and succeeds with refund.updated', async () => {
    const { charge, customer } = await paidBy(stripe, pendingFirst)
    const refund = await stripe.refunds.create({ charge: charge.id, amount: 3_000 })
    expect(refund).toMatchObject({ status: 'pending', pending_reason: 'processing' })
    expect(refund).not.toHaveProperty('sandbox')
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({
      amount_refunded: 0,
      refunded: false,
    })
    await expect(stripe.refunds.create({ charge: charge.id, amount: 901 })).rejects.toMatchObject({
      statusCode: 400,
      param: 'amount',
      message: 'Refund amount ($9.01) is greater than unrefunded amount on charge ($9.00)',
    })
    expect(await eventTypesOf(stripe, refund.id)).toEqual(['refund.created'])

    await advance('P1D')
    const settled = await stripe.refunds.retrieve(refund.id)
    expect(settled).toMatchObject({ status: 'succeeded', amount: 3_000 })
    expect(settled).not.toHaveProperty('pending_reason')
    expect((await stripe.charges.list({ customer })).data).toMatchObject([
      { id: charge.id, amount_refunded: 3_000, refunded: false, disputed: false },
    ])
    const events = await eventsOf(stripe, refund.id)
    expect(events.map(({ type }) => type)).toEqual(['refund.created', 'refund.updated'])
    expect(events[1]?.data).toMatchObject({
      object: { status: 'succeeded' },
      previous_attributes: { status: 'pending' },
    })
    expect(events[1]?.created).toBe(refund.created + 86_400)
    expect(await eventTypesOf(stripe, charge.id)).toEqual(['charge.succeeded', 'charge.refunded'])
  })
})

describe('a refund to a card that refuses it later', () => {
  it('succeeds, fails with refund.failed, and gives its amount back to the charge', async () => {
    const { charge } = await paidBy(stripe, failsLater)
    const refund = await stripe.refunds.create({ charge: charge.id })
    expect(refund).toMatchObject({ status: 'succeeded', amount: 3_900 })
    expect(refund).not.toHaveProperty('failure_reason')
    expect(await stripe.charges.retrieve(charge.id, { expand: ['refunds'] })).toMatchObject({
      amount_refunded: 3_900,
      refunded: true,
    })

    await advance('P1D')
    expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({
      status: 'failed',
      failure_reason: 'expired_or_canceled_card',
    })
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({
      amount_refunded: 0,
      refunded: false,
    })
    expect(await eventTypesOf(stripe, refund.id)).toEqual([
      'refund.created',
      'refund.updated',
      'refund.failed',
    ])
    expect((await eventsOf(stripe, charge.id)).at(-1)).toMatchObject({
      type: 'charge.updated',
      data: { previous_attributes: { amount_refunded: 3_900, refunded: true } },
    })
    expect(await stripe.refunds.create({ charge: charge.id })).toMatchObject({ amount: 3_900 })
  })
})

describe('a refund that waits for the customer', () => {
  it('can be canceled, which gives its amount back to the charge', async () => {
    const { charge } = await paidBy(stripe, requiresAction)
    const refund = await stripe.refunds.create({ charge: charge.id })
    expect(refund).toMatchObject({
      status: 'requires_action',
      instructions_email: 'dana@example.com',
      next_action: { type: 'display_details' },
    })
    expect(await stripe.refunds.cancel(refund.id)).toMatchObject({
      status: 'canceled',
      failure_reason: 'merchant_request',
    })
    expect(await eventTypesOf(stripe, refund.id)).toEqual(['refund.created', 'refund.updated'])
    expect(await stripe.refunds.create({ charge: charge.id })).toMatchObject({ amount: 3_900 })
  })

  it('fails after 45 days', async () => {
    const { charge } = await paidBy(stripe, requiresAction)
    const { id } = await stripe.refunds.create({ charge: charge.id, amount: 100 })
    await advance('P44D')
    expect((await stripe.refunds.retrieve(id)).status).toBe('requires_action')
    await advance('P1D')
    expect(await stripe.refunds.retrieve(id)).toMatchObject({
      status: 'failed',
      failure_reason: 'unknown',
    })
  })
})

describe('a refund', () => {
  it('changes its metadata only, with refund.updated', async () => {
    const { charge } = await paidBy(stripe)
    const { id } = await stripe.refunds.create({ charge: charge.id, metadata: { a: '1' } })
    expect(await stripe.refunds.update(id, { metadata: { a: '', b: '2' } })).toMatchObject({
      metadata: { b: '2' },
      status: 'succeeded',
    })
    expect(await eventTypesOf(stripe, id)).toEqual(['refund.created', 'refund.updated'])
    await expect(
      stripe.refunds.update(id, { amount: 1 } as Stripe.RefundUpdateParams),
    ).rejects.toMatchObject({ code: 'parameter_unknown', param: 'amount' })
    await expect(stripe.refunds.cancel(id)).rejects.toMatchObject({
      statusCode: 400,
      message: 'Canceling this refund is unsupported.',
    })
  })

  it('is listed by its charge and its payment intent, and expands both', async () => {
    const { charge } = await paidBy(stripe)
    const payment_intent = idOf(charge.payment_intent ?? '')
    const { id } = await stripe.refunds.create({ payment_intent, amount: 1 })
    for (const filter of [{ charge: charge.id }, { payment_intent }])
      expect(
        (await stripe.refunds.list({ ...filter, expand: ['data.charge', 'data.customer'] })).data,
      ).toMatchObject([{ id, charge: { id: charge.id, amount_refunded: 1 } }])
  })

  it('of a declined charge is refused', async () => {
    const { customer, charge: paid } = await paidBy(stripe, '4000000000000341')
    await advance('P1M')
    const [declined] = (await stripe.charges.list({ customer })).data
    expect(declined?.id).not.toBe(paid.id)
    await expect(stripe.refunds.create({ charge: declined?.id ?? '' })).rejects.toMatchObject({
      message: `This PaymentIntent (${idOf(declined?.payment_intent ?? '')}) does not have a successful charge to refund.`,
    })
  })
})
