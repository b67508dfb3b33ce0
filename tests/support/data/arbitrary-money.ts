import fc from 'fast-check'
import type { BillingEvent } from '#contracts/events/billing'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { invoiceCauses } from '#contracts/invoice-cause'
import { refundStatuses } from '#contracts/refund-status'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { billing, observed } from './events.ts'
import type { WayOfPayment } from '#contracts/events/billing-parts'
import { samplePayloads } from './sample-payloads.ts'

const first = Date.parse('2026-01-01T00:00:00.000Z')
const hour = 3_600_000

const step = fc.record({
  customer: fc.integer({ min: 1, max: 3 }),
  what: fc.constantFrom(
    'payment',
    'payment',
    'failure',
    'otherDue',
    'writeOff',
    'refund',
    'refund',
    'refundStatus',
    'creditNote',
    'creditNoteVoid',
    'dispute',
    'disputeFee',
    'disputeClosed',
  ),
  /** Facts can be recorded late, so the hours of a history are not in order. */
  hours: fc.integer({ min: 0, max: 24 * 500 }),
  days: fc.integer({ min: 0, max: 400 }),
  amount: fc.integer({ min: 1, max: 50_000 }),
  other: fc.integer({ min: -40_000, max: 40_000 }),
  taxPercent: fc.constantFrom(0, 7, 19),
  discountPercent: fc.constantFrom(0, 0, 33, 100),
  /** Selects one of the customer's payments, refunds, credit notes or disputes. */
  which: fc.nat({ max: 5 }),
  status: fc.constantFrom(...refundStatuses),
  currency: fc.constantFrom('usd', 'usd', 'eur'),
  flag: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/**
 * Billing events about money: invoices of several lines with tax and discounts, failed attempts,
 * and refunds, credit notes and disputes of known and unknown payments, in any order.
 */
export const arbitraryMoney: fc.Arbitrary<readonly RecordedEvent<BillingEvent>[]> = fc
  .array(step, { minLength: 1, maxLength: 30, size: 'max' })
  .map((steps) =>
    steps.map((each, index) =>
      billing(`usr_${each.customer}`, eventOf(each), {
        occurredAt: at(each.hours),
        revision: index,
        position: String(index + 1),
      }),
    ),
  )

/** Every failure of an invoice has the same cause. */
const causeOf = (which: number) => invoiceCauses[which % invoiceCauses.length] ?? 'other'

function eventOf(each: Step): BillingEvent {
  const { which, currency, amount, flag } = each
  const money = { amount, currency }
  const of = (what: string) => `${what}_${each.customer}_${which}`
  const ofPayment = {
    ...samplePayloads.RefundRecorded,
    paymentId: which === 5 && flag ? null : of('payment'),
  }
  const ofInvoice = { ...samplePayloads.PaymentFailed, paymentId: of('payment') }
  switch (each.what) {
    case 'payment':
      return { type: 'PaymentSucceeded', data: paymentOf(each, of('payment')) }
    case 'failure':
      return { type: 'PaymentFailed', data: { ...ofInvoice, cause: causeOf(which), due: money } }
    case 'otherDue':
      return { type: 'UnpaidInvoiceChanged', data: { ...ofInvoice, due: money } }
    case 'writeOff':
      return { type: 'InvoiceWrittenOff', data: { ...ofInvoice, due: money, how: 'voided' } }
    case 'refund':
      return {
        type: 'RefundRecorded',
        data: { ...ofPayment, refundId: of('refund'), amount: money, status: each.status },
      }
    case 'refundStatus': {
      const change = { refundId: of('refund'), amount: money, from: 'pending' } as const
      return { type: 'RefundStatusChanged', data: { ...change, to: each.status, ...observed } }
    }
    case 'creditNote':
      return { type: 'CreditNoteIssued', data: creditNoteOf(each, of('creditnote'), of('payment')) }
    case 'creditNoteVoid':
      return { type: 'CreditNoteVoided', data: { creditNoteId: of('creditnote'), total: money } }
    case 'dispute': {
      const kind = flag ? 'chargeback' : 'inquiry'
      const { paymentId } = ofPayment
      return {
        type: 'DisputeOpened',
        data: {
          ...samplePayloads.DisputeOpened,
          paymentId,
          disputeId: of('dispute'),
          kind,
          amount: money,
        },
      }
    }
    case 'disputeFee': {
      const fee = { amount: flag ? 1_500 : -1_500, currency }
      const { paymentId } = ofPayment
      const balanceTransactionRef = refOf(`${of('txn')}_${each.hours}`)
      return {
        type: 'DisputeFeeCharged',
        data: {
          ...samplePayloads.DisputeFeeCharged,
          paymentId,
          disputeId: of('dispute'),
          balanceTransactionRef,
          fee,
        },
      }
    }
    case 'disputeClosed':
      return {
        type: 'DisputeClosed',
        data: {
          disputeId: of('dispute'),
          amount: money,
          outcome: flag ? 'won' : 'lost',
          ...observed,
        },
      }
  }
}

function paymentOf(each: Step, paymentId: string) {
  const { amount, other, days, hours, taxPercent, discountPercent, currency, flag } = each
  const line = {
    ...samplePayloads.PaymentSucceeded.lines[0],
    description: null,
    quantity: 1,
    priceRef: null,
    isProration: false,
    amount,
    periodStart: at(hours),
    periodEnd: at(hours + days * 24),
  }
  const second = { ...line, amount: other, periodEnd: at(hours + 30 * 24) }
  const lines = flag ? [line, second] : [line]
  const subtotal = lines.reduce((sum, { amount: of }) => sum + of, 0)
  const discount = Math.max(0, Math.round((subtotal * discountPercent) / 100))
  const tax = Math.round(((subtotal - discount) * taxPercent) / 100)
  const total = subtotal - discount + tax
  const fromBalance = total < 0 ? total : Math.round(total * (other > 20_000 ? 0.5 : 0))
  return {
    ...samplePayloads.PaymentSucceeded,
    paymentId,
    paidBy: waysOf(total - fromBalance, days),
    planName: amount % 2 === 0 ? 'Monthly Plan' : 'Annual Plan',
    amounts: { currency, subtotal, discount, tax, total, fromBalance, paid: total - fromBalance },
    lines,
    periodStart: line.periodStart,
    periodEnd: line.periodEnd,
  }
}

/** By card, outside the provider, or in part each. */
function waysOf(paid: number, days: number): WayOfPayment[] {
  const outside = days % 5 === 0 ? paid : days % 5 === 1 ? Math.floor(paid / 3) : 0
  const card = samplePayloads.PaymentSucceeded.paidBy
  if (outside <= 0) return [...card]
  return [...(outside < paid ? card : []), { kind: 'outside', amount: outside }]
}

function creditNoteOf(each: Step, creditNoteId: string, paymentId: string) {
  const { amount, currency, taxPercent, flag, other } = each
  const part = Math.floor(amount / 3)
  return {
    ...samplePayloads.CreditNoteIssued,
    creditNoteId,
    paymentId,
    total: { amount, currency },
    tax: Math.round((amount * taxPercent) / (100 + taxPercent)),
    beforePayment: flag ? amount : 0,
    refunded: flag ? 0 : part,
    toBalance: flag || other < 0 ? 0 : amount - part,
    outOfBand: !flag && other < 0 ? amount - part : 0,
  }
}

function at(hours: number): string {
  return new Date(first + hours * hour).toISOString()
}
