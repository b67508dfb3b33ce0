import { describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import {
  creditNoteFromStripe,
  disputeFromStripe,
  refundFromStripe,
} from '#services/payments/stripe/from-stripe/after-payment'
import { checkoutFromStripe } from '#services/payments/stripe/from-stripe/checkouts'
import { noDeductions, type WayOfPayment } from '#contracts/events/billing-parts'
import { invoiceFromStripe } from '#services/payments/stripe/from-stripe/invoices'
import { prorationsOf } from '#services/payments/stripe/from-stripe/prorations'
import { idOf, idOrNull, instantOf, refOf } from '#services/payments/stripe/from-stripe/references'
import { subscriptionFromStripe } from '#services/payments/stripe/from-stripe/subscriptions'
import { termsFromStripe } from '#services/payments/stripe/from-stripe/terms'
import { stripeObject } from '../support/data/stripe-object.ts'
import { prices } from '../support/data/sandbox-prices.ts'

/*
 * The translation of Stripe's objects: objects that the sandbox answered, and the shapes that
 * Stripe documents and the sandbox does not make.
 */

const invoice = await stripeObject<Stripe.Invoice>('invoice')
const planChange = await stripeObject<Stripe.Invoice>('invoice-of-plan-change')
const intent = await stripeObject<Stripe.PaymentIntent>('payment-intent')
const subscription = await stripeObject<Stripe.Subscription>('subscription')
const charge = await stripeObject<Stripe.Charge>('charge')
const refund = charge.refunds!.data.find(({ reason }) => reason === 'duplicate')!
const note = await stripeObject<Stripe.CreditNote>('credit-note')
const dispute = await stripeObject<Stripe.Dispute>('dispute')

const lineOf = (of: Stripe.Invoice) => of.lines.data[0]!
const withLines = (data: Stripe.InvoiceLineItem[], has_more = false): Stripe.Invoice => ({
  ...invoice,
  lines: { ...invoice.lines, data, has_more },
})
const read = (
  of: Stripe.Invoice,
  by: Stripe.PaymentIntent | null = intent,
  failedCharges: readonly Stripe.Charge[] = [],
) => invoiceFromStripe(of, { intent: by, failedCharges }, prices)

describe('a paid invoice', () => {
  it.each([
    ['subscription_create', 'first'],
    ['subscription_cycle', 'renewal'],
    ['subscription_update', 'other'],
    ['manual', 'other'],
    [null, 'other'],
  ] as const)('of the reason %s has the cause %s', (billing_reason, cause) => {
    expect(read({ ...invoice, billing_reason })?.cause).toBe(cause)
  })

  it('has its number, sums, line, period, means and customer', () => {
    const line = lineOf(invoice)
    expect(read(invoice)).toMatchObject({
      invoiceRef: refOf(invoice.id ?? ''),
      invoiceNumber: invoice.number,
      planId: 'monthly',
      paymentRef: refOf(intent.id),
      paidBy: [
        {
          kind: 'method',
          method: { type: 'card', brand: 'visa', last4: '4242', expiryMonth: 8, expiryYear: 2032 },
        },
      ],
      amounts: { currency: 'usd', subtotal: 3900, discount: 0, tax: 0, total: 3900, paid: 3900 },
      lines: [
        { amount: 3900, quantity: 1, priceRef: 'stripe:price_sandbox_monthly', isProration: false },
      ],
      periodStart: instantOf(line.period.start),
      periodEnd: instantOf(line.period.end),
      billed: { customerName: 'Birchwood Dental Group', customerEmail: 'dana@example.com' },
      hostedInvoiceUrl: invoice.hosted_invoice_url,
      outcome: { kind: 'paid', at: instantOf(invoice.status_transitions.paid_at ?? 0) },
    })
  })

  it('without a payment intent, as a balance pays it, has no means and moved no money', () => {
    const covered = {
      ...invoice,
      amount_paid: 0,
      amount_due: 0,
      starting_balance: -5000,
      ending_balance: -1100,
      payments: { ...invoice.payments!, data: [] },
    }
    expect(read(covered, null)).toMatchObject({
      paymentRef: null,
      paidBy: [{ kind: 'credit' }],
      amounts: { total: 3900, fromBalance: 3900, paid: 0 },
    })
  })

  it('of a negative total adds to the balance', () => {
    const credit = {
      ...invoice,
      subtotal: -1000,
      total: -1000,
      amount_paid: 0,
      starting_balance: 0,
      ending_balance: -1000,
    }
    expect(read(credit, null)?.amounts).toMatchObject({ total: -1000, fromBalance: -1000, paid: 0 })
  })

  it('has the discounts and taxes of all lines, and names a plan that the catalogue lacks by the line', () => {
    const line = lineOf(invoice)
    const discounted = {
      ...withLines([{ ...line, pricing: null }]),
      total_discount_amounts: [
        { amount: 390, discount: 'di_1' },
        { amount: 10, discount: 'di_2' },
      ],
      total_taxes: [{ amount: 250 }, { amount: 33 }],
    } as Stripe.Invoice
    expect(read(discounted)).toMatchObject({
      planId: null,
      planName: line.description,
      amounts: { discount: 400, tax: 283 },
      lines: [{ priceRef: null }],
    })
  })

  it('with several payments names the one that was paid', () => {
    const [payment] = invoice.payments!.data
    const failed = {
      ...payment!,
      status: 'canceled',
      payment: { type: 'payment_intent', payment_intent: 'pi_first' },
    } as Stripe.InvoicePayment
    const payments = { ...invoice.payments!, data: [payment!, failed] }
    expect(read({ ...invoice, payments })?.paymentRef).toBe(refOf(intent.id))
  })

  it('that was paid outside the provider has neither the intent nor the card that failed', () => {
    const [open] = invoice.payments!.data.map((each) => ({ ...each, status: 'canceled' }))
    const outside = { ...invoice, payments: { ...invoice.payments!, data: [open!] } }
    expect(read(outside, null)).toMatchObject({
      paymentRef: null,
      paidBy: [{ kind: 'outside', amount: 3900 }],
      outcome: { kind: 'paid' },
    })
  })

  it.each([
    ['in part by a credit', { starting_balance: -900, ending_balance: 0 }, ['method', 'credit']],
    ['in part outside the provider', { amount_paid_off_stripe: 900 }, ['method', 'outside 900']],
    ['without a payment', { amount_paid: 0, payments: null }, []],
    [
      'by a payment that Stripe does not name',
      { amount_paid_off_stripe: 0, payments: null },
      ['method'],
    ],
    [
      'outside the provider, as Stripe reports',
      { amount_paid_off_stripe: 3900, payments: null },
      ['outside 3900'],
    ],
  ] as const)('%s names each way', (_how, change, kinds) => {
    const { payments, ...rest } = { payments: invoice.payments, ...change }
    const paid = { ...invoice, ...rest, payments: payments ?? { ...invoice.payments!, data: [] } }
    const named = (way: WayOfPayment) =>
      way.kind === 'outside' ? `outside ${way.amount}` : way.kind
    expect(read(paid)?.paidBy.map(named)).toEqual(kinds)
  })

  it('by a payment record was paid outside the provider', () => {
    const [payment] = invoice.payments!.data
    const record = {
      ...payment!,
      payment: { type: 'payment_record', payment_record: 'pr_1' },
    } as Stripe.InvoicePayment
    expect(
      read({ ...invoice, payments: { ...invoice.payments!, data: [record] } }, null)?.paidBy,
    ).toEqual([{ kind: 'outside', amount: 3900 }])
  })

  it('of nothing, and a draft, are no payments', () => {
    expect(read(withLines([{ ...lineOf(invoice), amount: 0 }]))).toBeNull()
    expect(read({ ...invoice, status: 'draft' })).toBeNull()
  })
})

describe('an invoice of a plan change', () => {
  it('has its lines marked as prorations', () => {
    expect(read(planChange)).toMatchObject({
      amounts: { total: 3000, paid: 3000 },
      lines: [
        { amount: -1950, isProration: true },
        { amount: 4950, isProration: true },
      ],
    })
  })

  it('whose lines come from invoice items has the same prorations', () => {
    const itemLines = planChange.lines.data.map((line) => {
      const of = line.parent!.subscription_item_details!
      return {
        ...line,
        parent: {
          type: 'invoice_item_details',
          subscription_item_details: null,
          invoice_item_details: {
            invoice_item: of.invoice_item!,
            proration: true,
            proration_details: null,
            subscription: of.subscription,
          },
        },
      } as Stripe.InvoiceLineItem
    })
    const changed = { ...planChange, lines: { ...planChange.lines, data: itemLines } }
    expect(read(changed)).toEqual(read(planChange))
    expect(prorationsOf(itemLines, [])).toEqual(prorationsOf(planChange.lines.data, []))
  })

  it('and a pending item of the same line count once', async () => {
    const item = await stripeObject<Stripe.InvoiceItem>('invoice-item')
    const id = idOf(subscription.id)
    const sumOf = (items: readonly Stripe.InvoiceItem[]) =>
      prorationsOf(planChange.lines.data, items)
        .get(id)
        ?.reduce((sum, { amount }) => sum + amount, 0)
    expect(sumOf([])).toBe(3000)
    expect(sumOf([item])).toBe(3000 + item.amount)
    const invoiced = planChange.lines.data[0]!.parent!.subscription_item_details!.invoice_item!
    expect(sumOf([{ ...item, id: invoiced }])).toBe(3000)
  })

  it('takes the plan and the period of the line that is no proration', () => {
    const line = lineOf(invoice)
    const renewed = withLines([...planChange.lines.data, line])
    expect(read(renewed)).toMatchObject({
      planId: 'monthly',
      periodEnd: instantOf(line.period.end),
    })
  })
})

describe('an unpaid invoice', () => {
  const unpaid = () => stripeObject<Stripe.Invoice>('invoice-unpaid')
  const declined = () => stripeObject<Stripe.PaymentIntent>('payment-intent-declined')
  const failedAt = (created: number): Stripe.Charge => ({
    ...charge,
    created,
    status: 'failed',
    failure_message: `Declined at ${created}.`,
  })

  it('has each attempt with its time, its reason and its means, and the next attempt', async () => {
    const of = await unpaid()
    const later = charge.created + 86_400
    const failures = read(of, await declined(), [failedAt(charge.created), failedAt(later)])
    expect(failures).toMatchObject({
      due: 3900,
      amounts: { paid: 0 },
      failures: [
        {
          attempt: 1,
          at: instantOf(charge.created),
          reason: `Declined at ${charge.created}.`,
          method: { last4: '4242' },
          nextAttemptAt: null,
        },
        {
          attempt: 2,
          at: instantOf(later),
          nextAttemptAt: instantOf(of.next_payment_attempt ?? 0),
        },
      ],
      outcome: { kind: 'open' },
    })
  })

  it('without a charge has the attempt that Stripe counts', async () => {
    const of = await unpaid()
    expect(read(of, await declined())).toMatchObject({
      failures: [{ attempt: 1, reason: 'Your card was declined.', method: { last4: '0341' } }],
    })
    expect(read({ ...of, next_payment_attempt: null }, null)).toMatchObject({
      failures: [{ nextAttemptAt: null, method: null, reason: 'The payment was not collected.' }],
    })
    expect(read({ ...of, attempted: false, attempt_count: 0 }, null)).toBeNull()
  })

  it('that is written off keeps its attempts', async () => {
    for (const [status, how] of [
      ['void', 'voided'],
      ['uncollectible', 'uncollectible'],
    ] as const)
      expect(read({ ...(await unpaid()), status }, await declined())).toMatchObject({
        failures: [{ attempt: 1 }],
        outcome: { kind: 'written-off', how },
      })
  })

  it('that is paid later keeps its failed charges, and counts no other attempt', async () => {
    expect(read(invoice, intent, [failedAt(charge.created - 60)])).toMatchObject({
      failures: [{ attempt: 1, at: instantOf(charge.created - 60) }],
      outcome: { kind: 'paid' },
    })
    expect(read(invoice)).toMatchObject({ failures: [] })
  })
})

describe('a subscription', () => {
  const translate = (
    of: Stripe.Subscription,
    schedules: readonly Stripe.SubscriptionSchedule[] = [],
    taxes: readonly Stripe.InvoiceLineItem.Tax[] = [],
  ) => subscriptionFromStripe(of, prices, schedules, new Map(), taxes)

  describe('with lasting deductions', () => {
    const coupon = (changes: Partial<Stripe.Coupon>) =>
      ({
        id: 'coupon_1',
        duration: 'forever',
        percent_off: null,
        amount_off: null,
        currency: null,
        ...changes,
      }) as Stripe.Coupon
    const given = (...coupons: readonly Partial<Stripe.Coupon>[]): Stripe.Subscription => ({
      ...subscription,
      discounts: coupons.map((each, index) => {
        const source = { type: 'coupon' as const, coupon: coupon(each) }
        return { id: `di_${index}`, start: 1_772_000_000 + index, source } as Stripe.Discount
      }),
    })
    const rate = (percentage: number, inclusive: boolean) =>
      ({ percentage, inclusive }) as Stripe.TaxRate

    it('has the coupons without an end in their order, and no other coupon', () => {
      const of = given(
        { percent_off: 33.33 },
        { duration: 'once', percent_off: 50 },
        { duration: 'repeating', duration_in_months: 3, percent_off: 50 },
        { amount_off: 500, currency: 'usd' },
        { amount_off: 700, currency: 'eur' },
      )
      expect(translate(of)).toMatchObject({
        deductions: {
          discounts: [
            { kind: 'share', millionths: 333_300 },
            { kind: 'amount', amount: 500 },
          ],
          includedTax: 0,
        },
        discountedAt: instantOf(1_772_000_004),
      })
      expect(translate(subscription)).toMatchObject({ deductions: noDeductions })
    })

    it('has the included tax of its rates, and those of the item before', () => {
      const rates = [rate(19, true), rate(8.875, false)]
      const of = { ...subscription, default_tax_rates: rates }
      expect(translate(of)).toMatchObject({ deductions: { includedTax: 190_000 } })
      const items = { ...of.items, data: [{ ...of.items.data[0]!, tax_rates: [rate(7, true)] }] }
      expect(translate({ ...of, items })).toMatchObject({ deductions: { includedTax: 70_000 } })
    })

    it('has the included tax of its newest invoice if the provider computes the tax', () => {
      const automatic_tax = { ...subscription.automatic_tax, enabled: true }
      const tax = (amount: number, tax_behavior: 'inclusive' | 'exclusive') =>
        ({ amount, tax_behavior, taxable_amount: 10_000 }) as Stripe.InvoiceLineItem.Tax
      const taxes = [tax(1_500, 'inclusive'), tax(400, 'inclusive'), tax(700, 'exclusive')]
      expect(translate({ ...subscription, automatic_tax }, [], taxes)).toMatchObject({
        deductions: { includedTax: 190_000 },
      })
    })
  })

  it('has the period and the terms of its item', () => {
    const [item] = subscription.items.data
    expect(translate(subscription)).toMatchObject({
      kind: 'started',
      status: 'active',
      terms: { planId: null, planName: 'Larger Plan', quantity: 2, price: { amount: 9900 } },
      currentPeriodStart: instantOf(item!.current_period_start),
      currentPeriodEnd: instantOf(item!.current_period_end),
      pause: null,
      cancelAt: null,
      plannedChange: null,
    })
  })

  it('with only cancel_at is set to end, as with cancel_at_period_end', () => {
    const end = subscription.items.data[0]!.current_period_end
    expect(
      translate({ ...subscription, cancel_at: end - 60, cancel_at_period_end: false }),
    ).toMatchObject({ cancelAt: instantOf(end - 60) })
    expect(
      translate({ ...subscription, cancel_at: null, cancel_at_period_end: true }),
    ).toMatchObject({ cancelAt: instantOf(end) })
  })

  it('with a schedule plans the change of the next phase', async () => {
    const [planned, schedule] = [
      await stripeObject<Stripe.Subscription>('subscription-with-schedule'),
      await stripeObject<Stripe.SubscriptionSchedule>('schedule'),
    ]
    const end = instantOf(planned.items.data[0]!.current_period_end)
    expect(translate(planned, [schedule])).toMatchObject({
      terms: { planId: 'six-month', interval: 'month', intervalCount: 6 },
      plannedChange: { terms: { planId: 'monthly' }, effectiveAt: end },
    })
    const released = { ...schedule, status: 'released' as const }
    expect(translate(planned, [released])).toMatchObject({ plannedChange: null })
    const [now, next] = schedule.phases
    const priceless = { ...next!, items: [{ ...next!.items[0]!, price: 'price_1' }] }
    expect(translate(planned, [{ ...schedule, phases: [now!, priceless] }])).toMatchObject({
      plannedChange: null,
    })
  })

  it('is paused by its status or by the pause of its collection', () => {
    const resumes_at = subscription.created + 86_400
    expect(
      translate({ ...subscription, pause_collection: { behavior: 'void', resumes_at } }),
    ).toMatchObject({ status: 'active', pause: { resumesAt: instantOf(resumes_at) } })
    expect(translate({ ...subscription, status: 'paused' })).toMatchObject({
      status: 'trialing',
      pause: { resumesAt: null },
    })
  })

  it.each([
    ['canceled', 'cancellation_requested', 'canceled'],
    ['canceled', 'payment_failed', 'unpaid'],
    ['incomplete_expired', null, 'expired'],
  ] as const)('%s because of %s ends as %s', (status, reason, why) => {
    const ended_at = subscription.created + 60
    const cancellation_details = { comment: null, feedback: null, feedback_option: null, reason }
    expect(translate({ ...subscription, status, ended_at, cancellation_details })).toMatchObject({
      kind: 'ended',
      why,
      endedAt: instantOf(ended_at),
    })
  })

  it('without an item, or with a price for one time, is refused with its id', () => {
    const { items } = subscription
    expect(() => translate({ ...subscription, items: { ...items, data: [] } })).toThrow(
      subscription.id,
    )
    const { price } = items.data[0]!
    expect(() => termsFromStripe({ ...price, recurring: null }, 1, prices)).toThrow(price.id)
  })
})

describe('a checkout session', () => {
  it('is complete, open or expired; without a status or a checkout id it is not of the product', async () => {
    const session = await stripeObject<Stripe.Checkout.Session>('checkout-session')
    const own = { ...session, client_reference_id: null, metadata: { checkoutId: 'checkout_1' } }
    expect(checkoutFromStripe(own)).toMatchObject({
      checkoutId: 'checkout_1',
      sessionRef: refOf(session.id),
      status: 'complete',
    })
    expect(checkoutFromStripe({ ...own, status: 'open' })).toMatchObject({ status: 'open' })
    expect(checkoutFromStripe({ ...own, status: null })).toBeNull()
    expect(checkoutFromStripe({ ...own, status: 'expired' })).toMatchObject({
      status: 'expired',
      openedAt: instantOf(session.created),
      expiresAt: instantOf(session.expires_at),
    })
    expect(checkoutFromStripe({ ...own, metadata: null })).toBeNull()
  })
})

describe('a refund', () => {
  const translate = (of: Stripe.Refund, by = charge) => refundFromStripe(of, by, new Map())

  it('has its amount, the captured amount, the reason and the means of its charge', () => {
    expect(translate(refund)).toMatchObject({
      refundRef: refOf(refund.id),
      amount: { amount: 1000, currency: 'usd' },
      captured: { amount: 3900, currency: 'usd' },
      status: 'succeeded',
      reason: 'duplicate',
      statedKind: null,
      method: { brand: 'visa', last4: '4242' },
    })
    const known = new Map([[idOrNull(charge.payment_intent) ?? '', 'in_1']])
    expect(refundFromStripe(refund, charge, known)).toMatchObject({ invoiceRef: 'stripe:in_1' })
  })

  it.each([null, 'a new status', 'requires_action'])(
    'with the status %s is not final',
    (status) => {
      const expected = status === 'requires_action' ? status : 'pending'
      expect(translate({ ...refund, status }).status).toBe(expected)
    },
  )

  it('takes reason and kind from the metadata', () => {
    const metadata = { refund_reason: 'Late start', refund_type: 'proration' }
    expect(translate({ ...refund, metadata })).toMatchObject({
      reason: 'Late start',
      statedKind: 'proration',
    })
    expect(translate({ ...refund, metadata: { refund_type: 'huge' } }).statedKind).toBeNull()
    expect(translate({ ...refund, metadata: null }).reason).toBe('duplicate')
  })

  it('of a charge without a payment intent belongs to no payment', () => {
    expect(translate(refund, { ...charge, payment_intent: null })).toMatchObject({
      paymentRef: null,
      invoiceRef: null,
    })
  })
})

describe('a credit note', () => {
  const none: ReadonlySet<string> = new Set()
  const crediting = (...lines: readonly string[]): Stripe.CreditNote => ({
    ...note,
    lines: {
      ...note.lines,
      data: lines.map((invoice_line_item) => ({ ...note.lines.data[0]!, invoice_line_item })),
    },
  })

  it('is a proration if it credits proration lines alone', () => {
    const isProration = (of: Stripe.CreditNote) =>
      creditNoteFromStripe(of, new Set(['il_proration'])).isProration
    expect(isProration(crediting('il_proration'))).toBe(true)
    expect(isProration(crediting('il_proration', 'il_plan'))).toBe(false)
    expect(isProration(crediting())).toBe(false)
    // The line of a credit note about an amount names no line of the invoice.
    expect(isProration(note)).toBe(false)
  })

  it('has its reason and what the operator wrote', () => {
    expect(creditNoteFromStripe({ ...note, memo: 'For the first month.' }, none)).toMatchObject({
      reason: note.reason,
      memo: 'For the first month.',
    })
  })

  it('divides its total into refund, credit balance and the rest', () => {
    expect(creditNoteFromStripe(note, none)).toMatchObject({
      number: note.number,
      total: { amount: 900, currency: 'usd' },
      refunded: 500,
      toBalance: 400,
      outOfBand: 0,
      beforePayment: 0,
      isVoid: false,
      refundRefs: note.refunds.map(({ refund }) => refOf(idOf(refund))),
    })
    expect(creditNoteFromStripe({ ...note, out_of_band_amount: 300 }, none)).toMatchObject({
      toBalance: 100,
      outOfBand: 300,
    })
    expect(creditNoteFromStripe({ ...note, status: 'void', voided_at: 1 }, none)).toMatchObject({
      isVoid: true,
      voidedAt: '1970-01-01T00:00:01.000Z',
    })
  })
})

describe('a dispute', () => {
  const translate = (status: Stripe.Dispute['status']) =>
    disputeFromStripe({ ...dispute, status }, charge, new Map())

  it.each([
    ['needs_response', 'chargeback', null],
    ['under_review', 'chargeback', null],
    ['won', 'chargeback', 'won'],
    ['lost', 'chargeback', 'lost'],
    ['prevented', 'chargeback', 'won'],
    ['warning_needs_response', 'inquiry', null],
    ['warning_under_review', 'inquiry', null],
    ['warning_closed', 'inquiry', 'inquiry-closed'],
  ] as const)('with the status %s is a(n) %s with the outcome %s', (status, kind, outcome) => {
    expect(translate(status)).toMatchObject({
      kind,
      outcome,
      amount: { amount: 3900, currency: 'usd' },
      evidenceDueAt: instantOf(dispute.evidence_details.due_by ?? 0),
    })
  })

  it('has the fee that its balance transactions charge, and the fee that they return', () => {
    const moved = (id: string, fee: number) =>
      ({ id, fee, currency: 'usd', created: 1_772_000_000 }) as Stripe.BalanceTransaction
    const balance_transactions = [moved('txn_1', 1500), moved('txn_2', 0), moved('txn_3', -1500)]
    const of = { ...dispute, balance_transactions }
    const at = instantOf(1_772_000_000)
    expect(disputeFromStripe(of, charge, new Map()).fees).toEqual([
      { balanceTransactionRef: 'stripe:txn_1', fee: { amount: 1500, currency: 'usd' }, at },
      { balanceTransactionRef: 'stripe:txn_3', fee: { amount: -1500, currency: 'usd' }, at },
    ])
  })
})

describe.each([
  ['jpy', 5_800],
  ['kwd', 12_340],
])('an amount in %s', (currency, amount) => {
  it('stays in the minor units of the provider', () => {
    const line = { ...lineOf(invoice), amount, currency }
    const paid = { ...withLines([line]), currency, subtotal: amount, total: amount }
    expect(read({ ...paid, amount_paid: amount, amount_due: amount })).toMatchObject({
      due: amount,
      amounts: { currency, subtotal: amount, total: amount, paid: amount },
      lines: [{ amount }],
    })
    const { price } = subscription.items.data[0]!
    expect(termsFromStripe({ ...price, currency, unit_amount: amount }, 1, prices).price).toEqual({
      amount,
      currency,
    })
    const returned = { ...refund, currency, amount: amount - 1 }
    expect(
      refundFromStripe(returned, { ...charge, currency, amount_captured: amount }, new Map()),
    ).toMatchObject({ amount: { amount: amount - 1, currency }, captured: { amount, currency } })
  })
})
