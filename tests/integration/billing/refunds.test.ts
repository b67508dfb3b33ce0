import { describe, expect, it } from '@jest/globals'
import type { UserId } from '#contracts/ids'
import { billingDecider } from '#services/billing/billing-decider'
import { paymentIdOf, refundRequestIdOf } from '#services/billing/product-ids'
import type { RequestRefund } from '#services/billing/refund-payment'
import { randomIds } from '#services/foundation/ids'
import { billingStream } from '#services/foundation/stream-names'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { idOf } from '#services/sandbox/store/stripe-objects'
import { billingSideOfFile } from '../../support/product/billing-side-of-file.ts'
import { createPrice } from '../../support/product/sandbox.ts'
import { advance, paidBy } from '../../support/product/sandbox-money.ts'

const { sandbox, side } = await billingSideOfFile()
const { stripe } = sandbox

let count = 0
function context(name: string) {
  const commandId = `${name} ${(count += 1)}`
  return {
    commandId,
    correlationId: commandId,
    actor: { kind: 'admin', id: 'admin_1' },
    source: 'api',
  } as const
}

/** A customer who has paid $39.00, with the recorded payment. */
async function bought() {
  const { userId, customer } = await side.buy()
  await side.billing.sync(userId, context('sync'))
  const [charge] = (await stripe.charges.list({ customer })).data
  const paymentId = (await eventsOf(userId, 'PaymentSucceeded'))[0]!.data.paymentId
  return { userId, customer, charge: charge!, paymentId }
}

/** A new account whose customer exists at the provider. */
async function link(customer: string) {
  const userId = randomIds.userId()
  await side.commands.handle({
    decider: billingDecider,
    stream: billingStream(userId),
    command: {
      type: 'link-customer',
      customerRef: refOf(customer),
      replaces: null,
      at: new Date().toISOString(),
    },
    context: context('link'),
  })
  return userId
}

/** A new account that has paid with this card, or for this price. */
async function linked({ card, price }: { readonly card?: string; readonly price?: string }) {
  const { customer, charge, invoice } = await paidBy(stripe, card, price)
  return { userId: await link(customer), customer, charge, paymentId: paymentIdOf(refOf(invoice)) }
}
type Bought = Awaited<ReturnType<typeof bought>>

async function eventsOf<Type extends 'PaymentSucceeded' | 'RefundRequested' | 'RefundRecorded'>(
  userId: UserId,
  type: Type,
) {
  return (await side.eventsOf(userId)).filter(
    (event): event is Extract<typeof event, { type: Type }> => event.type === type,
  )
}

function refund(
  { userId, paymentId }: Pick<Bought, 'userId' | 'paymentId'>,
  amount: number,
  dialog = `dialog ${(count += 1)}`,
  changes: Partial<RequestRefund> = {},
) {
  return side.refunds.request(
    userId,
    {
      requestId: refundRequestIdOf(paymentId, dialog),
      paymentId,
      amount: { amount, currency: 'usd' },
      reason: 'requested_by_customer',
      note: 'Asked on the phone.',
      limit: null,
      ...changes,
    },
    context('refund'),
  )
}

/** Completes the waiting refund, as the reactor does. */
async function complete({ userId }: Bought) {
  for (const { data } of await eventsOf(userId, 'RefundRequested'))
    await side.refunds.complete(userId, data.requestId, context('reactor'))
}

async function refundsAtProvider({ charge }: Bought) {
  const { data } = await stripe.refunds.list({ charge: charge.id, limit: 100 })
  return data.map(({ amount }) => amount)
}
const refundTypes = async ({ userId }: Bought) =>
  (await side.typesOf(userId)).filter((type) => type.startsWith('Refund'))

/** Answers the next `times` calls that create a refund with `answer`. */
function answerNext(
  answer: (forward: () => Promise<Response>) => Promise<Response>,
  times = 1,
): void {
  let left = times
  side.intercept = async (call, forward) => {
    if (call !== 'POST /v1/refunds' || left === 0) return null
    left -= 1
    return answer(forward)
  }
}
const broken = async (): Promise<Response> =>
  Response.json({ error: { type: 'api_error', message: 'Try again.' } }, { status: 500 })

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

describe('50 refunds of one payment at once', () => {
  it('of all of it return it once, and the others are refused with the reason', async () => {
    const one = await bought()
    const results = await Promise.all(Array.from({ length: 50 }, () => refund(one, 3900)))
    expect(results.filter(({ kind }) => kind === 'requested')).toHaveLength(1)
    for (const each of results)
      if (each.kind === 'refused') expect(each.refusal.kind).toBe('nothing-left')
    expect(await refundsAtProvider(one)).toEqual([3900])
  }, 60_000)

  it('of a part, with a provider that fails every third call, never return more than was paid', async () => {
    const one = await bought()
    let calls = 0
    side.intercept = async (call, forward) => {
      if (call !== 'POST /v1/refunds' || (calls += 1) % 3 !== 0) return null
      // Every second failure has taken effect.
      if (calls % 6 === 0) await forward()
      return broken()
    }
    const results = await Promise.all(Array.from({ length: 50 }, () => refund(one, 100)))
    expect(results.filter(({ kind }) => kind === 'requested')).toHaveLength(39)
    side.intercept = async () => null
    await complete(one)
    expect(await refundsAtProvider(one)).toEqual(Array.from({ length: 39 }, () => 100))
    expect(await eventsOf(one.userId, 'RefundRecorded')).toHaveLength(39)
  }, 120_000)
})
