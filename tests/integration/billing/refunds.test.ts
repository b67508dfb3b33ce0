import { describe, expect, it } from '@jest/globals'
import { paymentIdOf } from '#services/billing/product-ids'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { idOf } from '#services/sandbox/store/stripe-objects'
import { createPrice } from '../../support/product/sandbox.ts'
import { advance, paidBy } from '../../support/product/sandbox-money.ts'
import { refundingOfFile } from '../../support/product/refunding.ts'

const {
  side,
  sandbox,
  stripe,
  context,
  bought,
  link,
  linked,
  eventsOf,
  refund,
  complete,
  refundsAtProvider,
  refundTypes,
  answerNext,
  broken,
} = await refundingOfFile()

describe('a refund of an administrator', () => {
  it('is made at the provider and recorded with its request', async () => {
    const one = await bought()
    const result = await refund(one, 1000)
    expect(result).toMatchObject({ kind: 'requested', outcome: { kind: 'recorded' } })
    const [made] = (await stripe.refunds.list({ charge: one.charge.id })).data
    expect(made).toMatchObject({ amount: 1000, currency: 'usd', reason: 'requested_by_customer' })
    const [requested] = await eventsOf(one.userId, 'RefundRequested')
    expect(requested).toMatchObject({
      data: { amount: { amount: 1000, currency: 'usd' }, note: 'Asked on the phone.' },
      metadata: { actor: { kind: 'admin', id: 'admin_1' } },
    })
    expect(await eventsOf(one.userId, 'RefundRecorded')).toMatchObject([
      {
        data: {
          refundRef: refOf(made?.id ?? ''),
          requestId: requested?.data.requestId,
          paymentId: one.paymentId,
          amount: { amount: 1000, currency: 'usd' },
          kind: 'partial',
          status: 'succeeded',
          reason: 'requested_by_customer',
        },
        metadata: { actor: { kind: 'payment-provider' } },
      },
    ])
  })

  it('is made once if its dialog sends it again', async () => {
    const one = await bought()
    const both = await Promise.all([refund(one, 1000, 'double'), refund(one, 1000, 'double')])
    for (const each of [...both, await refund(one, 1000, 'double')])
      expect(each).toMatchObject({ kind: 'requested', outcome: { kind: 'recorded' } })
    expect(await refundsAtProvider(one)).toEqual([1000])
    expect(await refundTypes(one)).toEqual(['RefundRequested', 'RefundRecorded'])
    expect(await refund(one, 1200, 'double')).toMatchObject({
      kind: 'refused',
      refusal: { kind: 'other-request' },
    })
  })

  it('is never above what refunds in the dashboard have left', async () => {
    const one = await bought()
    await stripe.refunds.create({ charge: one.charge.id, amount: 3000 })
    expect(await refund(one, 901)).toMatchObject({
      kind: 'refused',
      refusal: { kind: 'above-left', left: { refunded: 3000, left: 900 } },
    })
    expect(await refund(one, 900)).toMatchObject({ outcome: { kind: 'recorded' } })
    expect(await refund(one, 1)).toMatchObject({ refusal: { kind: 'nothing-left' } })
  })

  it('of a payment that the bank took back is refused, and possible when the bank returns it', async () => {
    const one = await linked({ card: '4000000000000259' })
    expect(await refund(one, 100)).toMatchObject({ refusal: { kind: 'disputed', isLost: false } })
    const [dispute] = (await stripe.disputes.list({ charge: one.charge.id })).data
    await stripe.disputes.update(dispute!.id, {
      evidence: { uncategorized_text: 'winning_evidence' },
    })
    expect(await refund(one, 100)).toMatchObject({ outcome: { kind: 'recorded' } })
  })

  it('of a payment in yen is made in yen only', async () => {
    const { id: price } = await createPrice(stripe, { currency: 'jpy', unit_amount: 5_800 })
    const one = await linked({ price })
    expect(await refund(one, 100)).toMatchObject({
      refusal: { kind: 'other-currency', currency: 'jpy' },
    })
    const yen = { amount: { amount: 5_800, currency: 'jpy' } }
    expect(await refund(one, 0, 'yen', yen)).toMatchObject({ outcome: { kind: 'recorded' } })
    expect((await stripe.refunds.list({ charge: one.charge.id })).data).toMatchObject([
      { amount: 5_800, currency: 'jpy' },
    ])
  })

  it('of a payment outside of the provider is refused', async () => {
    const { customer, subscription } = await paidBy(stripe, '4000000000000341')
    await advance(sandbox, 'P1M')
    const { latest_invoice } = await stripe.subscriptions.retrieve(subscription.id)
    const invoice = idOf(latest_invoice ?? '')
    await stripe.invoices.pay(invoice, { paid_out_of_band: true })
    const userId = await link(customer)
    expect(await refund({ userId, paymentId: paymentIdOf(refOf(invoice)) }, 100)).toMatchObject({
      refusal: { kind: 'not-collected' },
    })
  })

  it('that the provider refuses releases the amount with the reason', async () => {
    const one = await bought()
    answerNext(async () => {
      await stripe.refunds.create({ charge: one.charge.id })
      return Response.json(
        {
          error: {
            type: 'invalid_request_error',
            code: 'charge_already_refunded',
            message: `Charge ${one.charge.id} has already been refunded.`,
          },
        },
        { status: 400 },
      )
    })
    expect(await refund(one, 1000)).toMatchObject({
      kind: 'requested',
      outcome: {
        kind: 'refused',
        reason: `Charge ${one.charge.id} has already been refunded.`,
      },
    })
    expect(await refund(one, 1000)).toMatchObject({ refusal: { kind: 'nothing-left' } })
    expect(await refundsAtProvider(one)).toEqual([3900])
  })

  it('waits after a failure of the provider, holds its amount, and is completed later', async () => {
    const one = await bought()
    answerNext(broken)
    const result = await refund(one, 3000)
    expect(result).toMatchObject({ kind: 'requested', outcome: { kind: 'waiting' } })
    expect(await refund(one, 3000)).toMatchObject({
      refusal: { kind: 'above-left', left: { waiting: 3000, left: 900 } },
    })
    await complete(one)
    expect(await refundsAtProvider(one)).toEqual([3000])
    expect(await refundTypes(one)).toEqual(['RefundRequested', 'RefundRecorded'])
  })

  it('whose answer was lost is found at the provider and not made again', async () => {
    const one = await bought()
    answerNext(async (forward) => {
      await forward()
      throw new TypeError('fetch failed')
    })
    expect(await refund(one, 1000)).toMatchObject({ outcome: { kind: 'waiting' } })
    side.calls.length = 0
    await complete(one)
    expect(side.calls).not.toContain('POST /v1/refunds')
    expect(await refundsAtProvider(one)).toEqual([1000])
    expect(await refundTypes(one)).toEqual(['RefundRequested', 'RefundRecorded'])
  })

  it('stays waiting while the provider does not answer, for as long as that lasts', async () => {
    const one = await bought()
    answerNext(broken, 4)
    await refund(one, 1000)
    for (let attempt = 0; attempt < 3; attempt += 1)
      await expect(complete(one)).rejects.toThrow('The payment provider failed')
    expect(await refundTypes(one)).toEqual(['RefundRequested'])
    await complete(one)
    expect(await refundTypes(one)).toEqual(['RefundRequested', 'RefundRecorded'])
  })

  it('reserves nothing if the provider cannot be read', async () => {
    const one = await bought()
    side.intercept = broken
    await expect(refund(one, 1000)).rejects.toThrow('The payment provider failed')
    side.intercept = async () => null
    expect(await refundTypes(one)).toEqual([])
  })

  it('still waits if it is repeated while the provider cannot be read', async () => {
    const one = await bought()
    answerNext(async (forward) => {
      await forward()
      throw new TypeError('fetch failed')
    })
    await refund(one, 1000, 'dialog of a lost answer')
    side.intercept = broken
    // The refund was made, so no answer may say that nothing was refunded.
    expect(await refund(one, 1000, 'dialog of a lost answer')).toMatchObject({
      kind: 'requested',
      outcome: { kind: 'waiting' },
    })
    expect(await refund(one, 1100, 'dialog of a lost answer')).toMatchObject({
      refusal: { kind: 'other-request' },
    })
    side.intercept = async () => null
    expect(await refund(one, 1000, 'dialog of a lost answer')).toMatchObject({
      outcome: { kind: 'recorded' },
    })
    side.intercept = broken
    expect(await refund(one, 1000, 'dialog of a lost answer')).toMatchObject({
      outcome: { kind: 'recorded' },
    })
    side.intercept = async () => null
    expect(await refundsAtProvider(one)).toEqual([1000])
  })

  it('is recorded once if the webhook comes before the answer', async () => {
    const one = await bought()
    answerNext(async (forward) => {
      const answer = await forward()
      await side.billing.sync(one.userId, context('webhook'))
      return answer
    })
    expect(await refund(one, 1000)).toMatchObject({ outcome: { kind: 'recorded' } })
    expect(await refundTypes(one)).toEqual(['RefundRequested', 'RefundRecorded'])
  })
})
