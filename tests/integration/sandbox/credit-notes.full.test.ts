import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type Stripe from 'stripe'
import { subscribe } from '../../support/product/sandbox.ts'
import { eventsOf, eventTypesOf, paidBy } from '../../support/product/sandbox-money.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'

const { sandbox, stripe, advance } = await sandboxOfFile()

/** An open invoice of $39.00 after one failed attempt. */
async function unpaid() {
  const { customer, subscription } = await subscribe(stripe, { card: '4000000000000341' })
  await advance('P1M')
  const [invoice] = (await stripe.invoices.list({ customer })).data
  return { customer, subscription: subscription.id, invoice: invoice?.id ?? '' }
}
const balanceOf = async (customer: string) => {
  const found = await stripe.customers.retrieve(customer)
  return found.deleted ? null : found.balance
}

describe('a credit note on a paid invoice', () => {
  it('refunds, credits the balance and records what was given back elsewhere', async () => {
    const { invoice, customer, charge } = await paidBy(stripe)
    const { number, lines } = await stripe.invoices.retrieve(invoice)
    const note = await stripe.creditNotes.create({
      invoice,
      lines: [
        { type: 'invoice_line_item', invoice_line_item: lines.data[0]?.id ?? '', amount: 3_000 },
      ],
      refund_amount: 1_000,
      credit_amount: 1_500,
      out_of_band_amount: 500,
      reason: 'product_unsatisfactory',
      memo: 'Sorry.',
      metadata: { case: '7' },
      expand: ['refunds.refund', 'customer_balance_transaction'],
    })
    expect(note).toMatchObject({
      number: `${number ?? ''}-CN-01`,
      type: 'post_payment',
      status: 'issued',
      amount: 3_000,
      total: 3_000,
      subtotal: 3_000,
      pre_payment_amount: 0,
      post_payment_amount: 3_000,
      out_of_band_amount: 500,
      reason: 'product_unsatisfactory',
      memo: 'Sorry.',
      metadata: { case: '7' },
      customer,
      refunds: [{ amount_refunded: 1_000, type: 'refund', refund: { charge: charge.id } }],
      customer_balance_transaction: { amount: -1_500, ending_balance: -1_500, type: 'credit_note' },
      lines: {
        data: [
          { amount: 3_000, type: 'invoice_line_item', description: lines.data[0]?.description },
        ],
      },
    })
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 1_000 })
    expect(await balanceOf(customer)).toBe(-1_500)
    expect(await stripe.invoices.retrieve(invoice)).toMatchObject({
      status: 'paid',
      amount_paid: 3_900,
      amount_due: 3_900,
      post_payment_credit_notes_amount: 3_000,
      pre_payment_credit_notes_amount: 0,
    })
    expect(await eventTypesOf(stripe, note.id)).toEqual(['credit_note.created'])
    expect((await eventsOf(stripe, invoice)).at(-1)?.type).toBe('invoice.updated')

    const second = await stripe.creditNotes.create({
      invoice,
      amount: 100,
      out_of_band_amount: 100,
    })
    expect(second.number).toBe(`${number ?? ''}-CN-02`)
    const listed = (await stripe.creditNotes.list({ customer })).data.map(({ id }) => id)
    expect(listed).toEqual([second.id, note.id])
    expect((await stripe.creditNotes.list({ invoice })).data).toHaveLength(2)
    expect((await stripe.creditNotes.listLineItems(note.id)).data).toEqual(note.lines.data)
    expect((await stripe.creditNotes.retrieve(note.id)).number).toBe(note.number)
  })

  it('credits the balance, which pays a part of the next invoice', async () => {
    const { invoice, customer } = await paidBy(stripe)
    await stripe.creditNotes.create({ invoice, amount: 900, credit_amount: 900 })
    await advance('P1M')
    expect((await stripe.invoices.list({ customer })).data[0]).toMatchObject({
      total: 3_900,
      amount_paid: 3_000,
      status: 'paid',
    })
    expect(await balanceOf(customer)).toBe(0)
    const [{ id: next } = { id: '' }] = (await stripe.invoices.list({ customer })).data
    const page = await (await fetch(`${sandbox.url}/invoice/${next ?? ''}`)).text()
    expect(page).toContain('<dt>Applied balance</dt><dd>−$9.00</dd>')
    expect(page).toContain('<dt>Amount paid</dt><dd>$30.00</dd>')
  })

  it('can name an earlier refund, once', async () => {
    const { invoice, charge } = await paidBy(stripe)
    const { id: refund } = await stripe.refunds.create({ charge: charge.id, amount: 1_000 })
    const link = (amount: number) =>
      stripe.creditNotes.create({ invoice, amount, refunds: [{ refund, amount_refunded: amount }] })
    expect((await link(600)).refunds).toMatchObject([{ amount_refunded: 600, refund }])
    await expect(link(401)).rejects.toMatchObject({ param: 'refunds[0][refund]' })
    expect((await link(400)).post_payment_amount).toBe(400)
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 1_000 })
    const other = await paidBy(stripe)
    await expect(
      stripe.creditNotes.create({ invoice: other.invoice, amount: 1_000, refunds: [{ refund }] }),
    ).rejects.toMatchObject({ param: 'refunds[0][refund]' })
  })

  it('cannot be voided', async () => {
    const { invoice } = await paidBy(stripe)
    const { id } = await stripe.creditNotes.create({ invoice, amount: 1, credit_amount: 1 })
    await expect(stripe.creditNotes.voidCreditNote(id)).rejects.toMatchObject({
      statusCode: 400,
      message: 'You can only void a credit note on an open invoice.',
    })
  })

  it('cannot refund a disputed payment', async () => {
    const { invoice } = await paidBy(stripe, '4000000000000259')
    await expect(
      stripe.creditNotes.create({ invoice, amount: 100, refund_amount: 100 }),
    ).rejects.toMatchObject({ code: 'charge_disputed' })
    expect((await stripe.creditNotes.list({ invoice })).data).toEqual([])
  })

  it.each<[string, Omit<Stripe.CreditNoteCreateParams, 'invoice'>, object]>([
    [
      'no amount',
      { refund_amount: 100 },
      { message: expect.stringContaining('One of the following params should be provided') },
    ],
    [
      'parts that do not make the amount',
      { amount: 500, refund_amount: 100, credit_amount: 399 },
      {
        message:
          'The sum of refunds, customer balance credits, and outside of Stripe credits (499) must equal the post_payment_amount (500).',
      },
    ],
    ['parts without a sum', { amount: 500 }, { message: expect.stringContaining('must equal') }],
    ['more than the invoice', { amount: 3_901, refund_amount: 3_901 }, { param: 'amount' }],
    [
      'lines that are not the amount',
      {
        amount: 3,
        credit_amount: 2,
        lines: [{ type: 'custom_line_item', description: 'x', quantity: 2, unit_amount: 1 }],
      },
      { param: 'amount' },
    ],
    [
      'an unknown line',
      {
        credit_amount: 1,
        lines: [{ type: 'invoice_line_item', invoice_line_item: 'il_none', amount: 1 }],
      },
      { code: 'resource_missing', param: 'lines[0][invoice_line_item]' },
    ],
    [
      'an unknown parameter',
      { amount: 1, credit_amount: 1, email_type: 'none' },
      { code: 'parameter_unknown' },
    ],
    ['an unknown reason', { amount: 1, credit_amount: 1, reason: 'bored' }, { param: 'reason' }],
  ])('with %s is refused and changes nothing', async (_what, params, expected) => {
    const { invoice, customer, charge } = await paidBy(stripe)
    await expect(stripe.creditNotes.create({ invoice, ...params })).rejects.toMatchObject({
      statusCode: 400,
      ...expected,
    })
    expect((await stripe.creditNotes.list({ invoice })).data).toEqual([])
    expect((await stripe.charges.retrieve(charge.id)).amount_refunded).toBe(0)
    expect(await balanceOf(customer)).toBe(0)
  })
})

describe('a credit note on an open invoice', () => {
  it('reduces what the next attempt charges; voiding the note reverts that', async () => {
    const { invoice } = await unpaid()
    const note = await stripe.creditNotes.create({ invoice, amount: 900 })
    expect(note).toMatchObject({
      type: 'pre_payment',
      pre_payment_amount: 900,
      post_payment_amount: 0,
      refunds: [],
    })
    const reduced = {
      amount_due: 3_000,
      amount_remaining: 3_000,
      pre_payment_credit_notes_amount: 900,
    }
    expect(await stripe.invoices.retrieve(invoice)).toMatchObject({ status: 'open', ...reduced })
    expect(await stripe.creditNotes.voidCreditNote(note.id)).toMatchObject({
      status: 'void',
      voided_at: expect.any(Number),
    })
    expect(await eventTypesOf(stripe, note.id)).toEqual([
      'credit_note.created',
      'credit_note.voided',
    ])
    expect(await stripe.invoices.retrieve(invoice)).toMatchObject({
      amount_due: 3_900,
      amount_remaining: 3_900,
      pre_payment_credit_notes_amount: 0,
    })
    await expect(stripe.creditNotes.voidCreditNote(note.id)).rejects.toMatchObject({
      statusCode: 400,
    })

    await stripe.creditNotes.create({ invoice, amount: 900 })
    await expect(stripe.invoices.pay(invoice)).rejects.toMatchObject({ statusCode: 402 })
    const { payments } = await stripe.invoices.retrieve(invoice, {
      expand: ['payments.data.payment.payment_intent'],
    })
    expect(payments?.data).toMatchObject([
      { amount_requested: 3_000, payment: { payment_intent: { amount: 3_000 } } },
    ])
  })

  it('of the whole amount makes it paid without a charge', async () => {
    const { invoice, subscription, customer } = await unpaid()
    await stripe.creditNotes.create({ invoice, amount: 3_900 })
    expect(await stripe.invoices.retrieve(invoice)).toMatchObject({
      status: 'paid',
      amount_due: 0,
      amount_paid: 0,
      amount_remaining: 0,
      next_payment_attempt: null,
    })
    expect((await eventTypesOf(stripe, invoice)).slice(-2)).toEqual([
      'invoice.updated',
      'invoice.paid',
    ])
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('active')
    await advance('P3D')
    expect((await stripe.charges.list({ customer })).data).toHaveLength(2)
  })

  it('of a void invoice is refused', async () => {
    const { invoice } = await unpaid()
    await stripe.invoices.voidInvoice(invoice)
    await expect(stripe.creditNotes.create({ invoice, amount: 1 })).rejects.toMatchObject({
      statusCode: 400,
      param: 'invoice',
    })
  })
})

type Call =
  | { kind: 'refund'; amount: number }
  | { kind: 'note'; refund: number; credit: number; outOfBand: number }
  | { kind: 'cancel' }
  | { kind: 'day' }
const part = fc.integer({ min: 0, max: 1_600 })
const call = fc.oneof(
  fc.record({ kind: fc.constant('refund' as const), amount: fc.integer({ min: 1, max: 4_000 }) }),
  fc.record({ kind: fc.constant('note' as const), refund: part, credit: part, outOfBand: part }),
  fc.constant({ kind: 'cancel' as const }),
  fc.constant({ kind: 'day' as const }),
)

describe('refunds and credit notes of a payment', () => {
  it('never exceed what was captured, for any sequence of calls, also parallel ones', async () => {
    const cards = fc.constantFrom(
      '4242424242424242',
      '4000000000007726',
      '4000000000005126',
      '4000000000004335',
    )
    await fc.assert(
      fc.asyncProperty(
        cards,
        fc.array(call, { maxLength: 8 }),
        fc.boolean(),
        async (card, calls, isParallel) => {
          const { charge, invoice } = await paidBy(stripe, card)
          if (isParallel) await Promise.all(calls.map((one) => make(one, charge.id, invoice)))
          for (const one of isParallel ? [] : calls) {
            await make(one, charge.id, invoice)
            await checkMoney(charge.id, invoice)
          }
          await checkMoney(charge.id, invoice)
        },
      ),
      { numRuns: 15 },
    )
  })

  /** Stripe may refuse the call; another error fails the test. */
  async function make(one: Call, charge: string, invoice: string): Promise<void> {
    try {
      await send(one, charge, invoice)
    } catch (error) {
      expect(error).toMatchObject({ statusCode: 400 })
    }
  }

  async function send(one: Call, charge: string, invoice: string): Promise<void> {
    if (one.kind === 'day') await advance('P1D')
    if (one.kind === 'refund') await stripe.refunds.create({ charge, amount: one.amount })
    if (one.kind === 'cancel') {
      const waiting = (await stripe.refunds.list({ charge })).data.find(
        ({ status }) => status === 'requires_action',
      )
      if (waiting !== undefined) await stripe.refunds.cancel(waiting.id)
    }
    if (one.kind === 'note')
      await stripe.creditNotes.create({
        invoice,
        amount: Math.max(1, one.refund + one.credit + one.outOfBand),
        refund_amount: one.refund,
        credit_amount: one.credit,
        out_of_band_amount: one.outOfBand,
      })
  }

  async function checkMoney(chargeId: string, invoiceId: string): Promise<void> {
    const charge = await stripe.charges.retrieve(chargeId)
    const refunds = (await stripe.refunds.list({ charge: chargeId, limit: 100 })).data
    const notes = (await stripe.creditNotes.list({ invoice: invoiceId, limit: 100 })).data
    const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
    const active = refunds.filter(({ status }) => status !== 'failed' && status !== 'canceled')
    const credited = notes.map(
      (note) => note.amount - sum(note.refunds.map(({ amount_refunded }) => amount_refunded)),
    )
    expect(sum(active.map(({ amount }) => amount)) + sum(credited)).toBeLessThanOrEqual(
      charge.amount_captured,
    )
    const succeeded = refunds.filter(({ status }) => status === 'succeeded')
    expect(charge.amount_refunded).toBe(sum(succeeded.map(({ amount }) => amount)))
    expect(charge.refunded).toBe(charge.amount_refunded === charge.amount_captured)
    const invoice = await stripe.invoices.retrieve(invoiceId)
    expect(invoice.post_payment_credit_notes_amount).toBe(sum(notes.map(({ amount }) => amount)))
    expect(invoice.post_payment_credit_notes_amount).toBeLessThanOrEqual(invoice.total)
  }
})
