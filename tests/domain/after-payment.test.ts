import { describe, expect, it } from '@jest/globals'
import { brand } from '#contracts/brand/brand'
import type { BillingEvent } from '#contracts/events/billing'
import type { ProviderRef } from '#contracts/events/provider-ref'
import { billingDecider, type BillingCommand } from '#services/billing/billing-decider'
import { stateOfNewCustomer } from '#services/billing/new-customer'
import { paymentIdOf, subscriptionIdOf } from '#services/billing/product-ids'
import { noHistory } from '#services/payments/provider-change'
import type {
  ProviderCreditNote,
  ProviderDispute,
  ProviderRefund,
  ProviderState,
} from '#services/payments/provider-state'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { given } from '../support/data/given.ts'
import { failedAttempt, providerInvoice, visa } from '../support/data/provider-invoice.ts'

const at = '2026-03-03T09:12:00.000Z'
const later = '2026-03-10T09:12:00.000Z'
const invoice = providerInvoice()
const usd = (amount: number) => ({ amount, currency: 'usd' })

const refund: ProviderRefund = {
  refundRef: refOf('re_1'),
  paymentRef: refOf('pi_1'),
  invoiceRef: refOf('in_1'),
  amount: usd(1000),
  captured: usd(3900),
  status: 'pending',
  reason: 'requested_by_customer',
  requestId: null,
  statedKind: null,
  method: visa,
  at: later,
}
const creditNote: ProviderCreditNote = {
  creditNoteRef: refOf('cn_1'),
  number: 'AR-0001-CN-01',
  invoiceRef: refOf('in_1'),
  isVoid: false,
  total: usd(1500),
  tax: 0,
  beforePayment: 0,
  refunded: 1000,
  toBalance: 500,
  outOfBand: 0,
  reason: 'order_change',
  memo: 'For the first month.',
  isProration: false,
  refundRefs: [refOf('re_1')],
  at: later,
  voidedAt: null,
}
const dispute: ProviderDispute = {
  disputeRef: refOf('dp_1'),
  paymentRef: refOf('pi_1'),
  invoiceRef: refOf('in_1'),
  kind: 'inquiry',
  amount: usd(3900),
  reason: 'fraudulent',
  evidenceDueAt: null,
  fees: [],
  at: later,
  outcome: null,
}

const see = (seen: Partial<ProviderState>): BillingCommand => ({
  type: 'reconcile',
  providerState: { ...stateOfNewCustomer, ...seen },
  at: later,
})

/** The events that the answers of the provider add, one answer after the other. */
function after(...answers: readonly Partial<ProviderState>[]): readonly BillingEvent[] {
  return answers.reduce<BillingEvent[]>((events, seen) => {
    const decision = given(billingDecider, ...events).decide(see(seen))
    return decision.kind === 'accepted' ? [...events, ...decision.events] : events
  }, [])
}
const paid = { invoices: [invoice] }
const typesOf = (events: readonly BillingEvent[]) => events.map(({ type }) => type)
const afterPaid = (...answers: readonly Partial<ProviderState>[]) =>
  typesOf(after(paid, ...answers)).slice(1)

describe('a refund', () => {
  it('is recorded with its payment, its plan and its kind', () => {
    const [, recorded] = after(paid, { refunds: [refund] })
    expect(recorded).toMatchObject({
      type: 'RefundRecorded',
      data: {
        paymentId: paymentIdOf(refOf('in_1')),
        subscriptionId: subscriptionIdOf(refOf('sub_1')),
        planName: 'Monthly Plan',
        amount: usd(1000),
        captured: usd(3900),
        kind: 'partial',
        status: 'pending',
      },
    })
  })

  it('that is read in one answer with its payment is recorded with the payment', () => {
    expect(after({ ...paid, refunds: [refund] })[1]).toMatchObject({
      type: 'RefundRecorded',
      data: { planName: 'Monthly Plan' },
    })
  })

  it.each([
    ['full', { amount: usd(3900) }, {}],
    ['partial', { amount: usd(3899) }, {}],
    ['partial', { amount: usd(1000) }, { creditNotes: [creditNote] }],
    ['full', { amount: usd(3900) }, { creditNotes: [creditNote] }],
    ['proration', {}, { creditNotes: [{ ...creditNote, isProration: true }] }],
    ['partial', {}, { creditNotes: [{ ...creditNote, isProration: true, refundRefs: [] }] }],
    ['full', { amount: usd(10), statedKind: 'full' as const }, { creditNotes: [creditNote] }],
  ] as const)('has the kind %s', (kind, change, rest) => {
    const events = after(paid, { refunds: [{ ...refund, ...change }], ...rest })
    expect(events[1]).toMatchObject({ type: 'RefundRecorded', data: { kind } })
  })

  it.each([
    [null, 'order_change'],
    ['duplicate', 'duplicate'],
  ])('with the reason %s by a credit note has the reason %s and the memo', (own, reason) => {
    const events = after(paid, {
      refunds: [{ ...refund, reason: own }],
      creditNotes: [creditNote],
    })
    expect(events[1]).toMatchObject({
      type: 'RefundRecorded',
      data: { reason, memo: 'For the first month.' },
    })
  })

  it('names the parties of its payment, whatever the customer is named now', () => {
    const buyer = { ...invoice.billed, customerName: 'Birchwood', city: 'Duluth' }
    const moved = { method: { current: visa }, billed: { ...buyer, customerName: 'Northgate' } }
    const events = after(
      { invoices: [{ ...invoice, billed: buyer }] },
      { customer: moved, refunds: [refund], creditNotes: [creditNote] },
    )
    for (const type of ['RefundRecorded', 'CreditNoteIssued'])
      expect(events.find((event) => event.type === type)).toMatchObject({
        data: { customerName: 'Birchwood', city: 'Duluth', seller: { name: brand.name } },
      })
    const [unknown] = after({ customer: moved, refunds: [{ ...refund, invoiceRef: null }] })
    expect(unknown).toMatchObject({ data: { customerName: 'Northgate' } })
  })

  it('without a credit note has no memo', () => {
    expect(after(paid, { refunds: [refund] })[1]).toMatchObject({ data: { memo: null } })
  })

  it('of an invoice with only proration lines has the kind proration', () => {
    const lines = invoice.lines.map((line) => ({ ...line, isProration: true }))
    const events = after({ invoices: [{ ...invoice, lines }] }, { refunds: [refund] })
    expect(events[1]).toMatchObject({ type: 'RefundRecorded', data: { kind: 'proration' } })
  })

  it('changes its status once per change, and a repeated answer adds nothing', () => {
    const succeeded = { refunds: [{ ...refund, status: 'succeeded' as const }] }
    const failed = { refunds: [{ ...refund, status: 'failed' as const }] }
    expect(
      afterPaid({ refunds: [refund] }, succeeded, succeeded, failed, failed, { refunds: [] }),
    ).toEqual(['RefundRecorded', 'RefundStatusChanged', 'RefundStatusChanged'])
  })

  it('keeps its amount in every event about it', () => {
    const events = after(
      paid,
      { refunds: [refund] },
      { refunds: [{ ...refund, status: 'succeeded', amount: usd(1) }] },
    )
    expect(events.at(-1)).toMatchObject({
      type: 'RefundStatusChanged',
      data: { from: 'pending', to: 'succeeded', amount: usd(1000) },
    })
  })

  it('of a payment that no invoice has is recorded without a plan', () => {
    expect(after({ refunds: [{ ...refund, invoiceRef: null }] })).toMatchObject([
      { type: 'RefundRecorded', data: { paymentId: null, planName: null } },
    ])
  })
})

describe('a credit note', () => {
  it('keeps its reason and what the operator wrote', () => {
    expect(after(paid, { creditNotes: [creditNote] })[1]).toMatchObject({
      data: { reason: 'order_change', memo: 'For the first month.' },
    })
  })

  it('is recorded once, and once more when it is voided', () => {
    const voided = { creditNotes: [{ ...creditNote, isVoid: true, voidedAt: later }] }
    expect(afterPaid({ creditNotes: [creditNote] }, voided, voided)).toEqual([
      'CreditNoteIssued',
      'CreditNoteVoided',
    ])
    expect(after(paid, { creditNotes: [creditNote] }, voided).at(-1)).toMatchObject({
      data: { total: usd(1500) },
    })
  })

  it('that was issued and voided between two answers is two facts', () => {
    expect(afterPaid({ creditNotes: [{ ...creditNote, isVoid: true }] })).toEqual([
      'CreditNoteIssued',
      'CreditNoteVoided',
    ])
  })
})

describe('a dispute', () => {
  const chargeback = { ...dispute, kind: 'chargeback' as const }

  it('is opened, becomes a chargeback and is closed once', () => {
    const lost = { disputes: [{ ...chargeback, outcome: 'lost' as const }] }
    const events = after(
      paid,
      { disputes: [dispute] },
      { disputes: [dispute] },
      { disputes: [{ ...chargeback, amount: usd(3000) }] },
      lost,
      lost,
    ).slice(1)
    expect(events).toMatchObject([
      { type: 'DisputeOpened', data: { kind: 'inquiry' } },
      { type: 'DisputeOpened', data: { kind: 'chargeback' } },
      { type: 'DisputeClosed', data: { outcome: 'lost', amount: usd(3000) } },
    ])
  })

  it('that became a chargeback before the first answer is an inquiry until then', () => {
    const escalated = '2026-03-09T09:00:00.000Z'
    const history = {
      ...noHistory,
      disputes: new Map([
        [
          dispute.disputeRef,
          [
            { at: dispute.at, value: 'inquiry' as const },
            { at: escalated, value: 'chargeback' as const },
          ],
        ],
      ]),
    }
    expect(after(paid, { disputes: [chargeback], history }).slice(1)).toMatchObject([
      { type: 'DisputeOpened', data: { kind: 'inquiry' }, occurredAt: dispute.at },
      { type: 'DisputeOpened', data: { kind: 'chargeback' }, occurredAt: escalated },
    ])
  })

  it('has each fee once, also a fee that comes later or after its end', () => {
    const fee = (balanceTransactionRef: ProviderRef, amount: number) => ({
      balanceTransactionRef,
      fee: usd(amount),
      at: later,
    })
    const charged = { ...chargeback, fees: [fee(refOf('txn_1'), 1500)] }
    const won = { ...charged, outcome: 'won' as const }
    const returned = { ...won, fees: [fee(refOf('txn_1'), 1500), fee(refOf('txn_2'), -1500)] }
    const events = after(
      paid,
      { disputes: [chargeback] },
      { disputes: [charged] },
      { disputes: [charged] },
      { disputes: [won] },
      { disputes: [returned] },
      { disputes: [returned] },
    ).slice(1)
    expect(events).toMatchObject([
      { type: 'DisputeOpened' },
      { type: 'DisputeFeeCharged', data: { fee: usd(1500), invoiceRef: refOf('in_1') } },
      { type: 'DisputeClosed' },
      { type: 'DisputeFeeCharged', data: { fee: usd(-1500) } },
    ])
  })

  it('that was opened and closed between two answers is two facts', () => {
    expect(afterPaid({ disputes: [{ ...chargeback, outcome: 'won' }] })).toEqual([
      'DisputeOpened',
      'DisputeClosed',
    ])
  })
})

describe('a refund whose events were lost', () => {
  it('is recorded with its first status and each later status, with their times', () => {
    const readings = [
      { at, value: 'pending' as const },
      { at: later, value: 'failed' as const },
    ]
    const failed = { ...refund, status: 'failed' as const }
    const history = { ...noHistory, refunds: new Map([[refund.refundRef, readings]]) }
    expect(after(paid, { refunds: [failed], history }).slice(1)).toMatchObject([
      { type: 'RefundRecorded', data: { status: 'pending' } },
      {
        type: 'RefundStatusChanged',
        occurredAt: later,
        data: { from: 'pending', to: 'failed', changedAt: later, isInferred: false },
      },
    ])
  })
})

describe('an invoice', () => {
  const failures = [{ ...failedAttempt, at, attempt: 2 }]
  const writtenOff = (how: 'voided' | 'uncollectible') => ({
    invoices: [{ ...invoice, failures, outcome: { kind: 'written-off' as const, at: later, how } }],
  })

  it('that is written off is recorded after its last attempt, once', () => {
    expect(typesOf(after(writtenOff('uncollectible'), writtenOff('uncollectible')))).toEqual([
      'PaymentFailed',
      'InvoiceWrittenOff',
    ])
  })

  it('that is uncollectible can still be paid', () => {
    expect(typesOf(after(writtenOff('uncollectible'), paid))).toEqual([
      'PaymentFailed',
      'InvoiceWrittenOff',
      'PaymentSucceeded',
    ])
  })
})

describe('the means and the details of the next invoice', () => {
  it('before the first payment, as in a trial: the means is recorded once, the details are not', () => {
    expect(after({ customer: otherCard }, { customer: otherCard })).toMatchObject([
      { type: 'PaymentMethodChanged', data: { method: { last4: '4444' } } },
    ])
  })

  const customer = { method: { current: visa }, billed: invoice.billed }
  const otherCard = { ...customer, method: { current: { ...visa, last4: '4444' } } }
  const moved = { ...otherCard, billed: { ...customer.billed, city: 'Duluth' } }

  it('are no fact with the first payment, which shows both', () => {
    expect(typesOf(after({ customer, ...paid }, { customer }))).toEqual(['PaymentSucceeded'])
  })

  it('are one fact each when they change, also back', () => {
    expect(
      afterPaid(
        { customer: otherCard },
        { customer: otherCard },
        { customer: moved },
        { customer },
      ),
    ).toEqual([
      'PaymentMethodChanged',
      'BillingDetailsChanged',
      'PaymentMethodChanged',
      'BillingDetailsChanged',
    ])
  })

  it('of an erased person are no fact: the log cannot hold them', () => {
    const erased: BillingEvent = {
      type: 'BillingDetailsChanged',
      data: { ...customer.billed, customerName: '[erased]' },
    }
    const events = [...after({ customer, ...paid }), erased]
    expect(given(billingDecider, ...events).when(see({ customer: moved }))).toMatchObject([
      { type: 'PaymentMethodChanged' },
    ])
  })

  it('of a deleted customer, or without a running subscription, change nothing', () => {
    expect(afterPaid({ customer: null }, { customer: { ...customer, method: null } })).toEqual([])
  })
})
