import { describe, expect, it } from '@jest/globals'
import type { BillingEvent } from '#contracts/events/billing'
import { refAt, type ProviderRef } from '#contracts/events/provider-ref'
import { billingDecider, type BillingCommand } from '#services/billing/billing-decider'
import { stateOfNewCustomer } from '#services/billing/new-customer'
import { eventIdOfFact } from '#services/commands/event-ids'
import { createAccountingDates } from '#services/finance/accounting-date'
import { createLedger, entriesThrough } from '#services/finance/ledger/ledger'
import { compare, ofProvider } from '#services/finance/reconciliation/compare'
import { foldLogRecords, noLogRecords } from '#services/finance/reconciliation/log-records'
import type { ProviderState } from '#services/payments/provider-state'
import { stripeIdOf, refOf } from '#services/payments/stripe/from-stripe/references'
import { feeRecord } from '#services/reports/reconciliation/fee-records'
import { providerRecords } from '#services/reports/reconciliation/provider-records'
import { customerOnBothSides } from '../support/data/both-sides.ts'
import { billing } from '../support/data/events.ts'
import { day, zone } from '../support/data/finance-values.ts'
import { given } from '../support/data/given.ts'
import { providerInvoice } from '../support/data/provider-invoice.ts'
import { providerSubscription } from '../support/data/provider-subscription.ts'

const at = '2026-03-10T09:12:00.000Z'
const usd = (amount: number) => ({ amount, currency: 'usd' })

/** The same objects with the same ids, at another provider. */
function atOther<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value).replaceAll('"stripe:', '"other:')) as Value
}

/** A customer at one provider: a plan, a payment, a refund, a credit note and a dispute. */
const one: ProviderState = {
  ...stateOfNewCustomer,
  subscriptions: [providerSubscription],
  invoices: [providerInvoice()],
  refunds: [
    {
      refundRef: refOf('re_1'),
      paymentRef: refOf('pi_1'),
      invoiceRef: refOf('in_1'),
      amount: usd(1000),
      captured: usd(3900),
      status: 'succeeded',
      reason: null,
      requestId: null,
      statedKind: null,
      method: null,
      at,
    },
  ],
  creditNotes: [
    {
      creditNoteRef: refOf('cn_1'),
      number: 'AR-0001-CN-01',
      invoiceRef: refOf('in_1'),
      isVoid: false,
      total: usd(500),
      tax: 0,
      beforePayment: 0,
      refunded: 0,
      toBalance: 500,
      outOfBand: 0,
      reason: null,
      memo: null,
      isProration: false,
      refundRefs: [],
      at,
      voidedAt: null,
    },
  ],
  disputes: [
    {
      disputeRef: refOf('dp_1'),
      paymentRef: refOf('pi_1'),
      invoiceRef: refOf('in_1'),
      kind: 'inquiry',
      amount: usd(3900),
      reason: 'fraudulent',
      evidenceDueAt: null,
      fees: [{ balanceTransactionRef: refOf('txn_1'), fee: usd(1500), at }],
      at,
      outcome: null,
    },
  ],
}
const other = atOther(one)
const both: ProviderState = {
  ...one,
  subscriptions: [...one.subscriptions, ...other.subscriptions],
  invoices: [...one.invoices, ...other.invoices],
  refunds: [...one.refunds, ...other.refunds],
  creditNotes: [...one.creditNotes, ...other.creditNotes],
  disputes: [...one.disputes, ...other.disputes],
}

const see = (providerState: ProviderState): BillingCommand => ({
  type: 'reconcile',
  providerState,
  at,
})

function factsOf(providerState: ProviderState, before: readonly BillingEvent[] = []) {
  const decision = given(billingDecider, ...before).decide(see(providerState))
  if (decision.kind === 'refused') throw new Error('The state was refused.')
  return decision.events
}

/** The sums of all accounts that are not 0, in minor units. */
function balancesOf(events: readonly BillingEvent[]) {
  const ledger = createLedger(createAccountingDates(zone('UTC')))
  const sums = new Map<string, number>()
  for (const [revision, event] of events.entries()) {
    const booking = ledger.book(billing('usr_1', event, { occurredAt: at, revision }))
    for (const { lines } of entriesThrough(booking, day('2026-12-31')))
      for (const { account, amount } of lines) sums.set(account, (sums.get(account) ?? 0) + amount)
  }
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0))
}

describe('equal ids of two providers', () => {
  it('are two facts of each kind, with different event ids and product ids', () => {
    const [alone, together] = [factsOf(one), factsOf(both)]
    const typesOf = (facts: ReturnType<typeof factsOf>) => facts.map(({ type }) => type).sort()
    expect(typesOf(together)).toEqual([...typesOf(alone), ...typesOf(alone)].sort())
    const ids = together.map(({ type, fact = '' }) => eventIdOfFact('billing-usr_1', type, fact))
    expect(new Set(ids).size).toBe(together.length)
    const payments = together.flatMap((each) =>
      each.type === 'PaymentSucceeded' ? each.data.paymentId : [],
    )
    expect(new Set(payments).size).toBe(2)
  })

  it('fold into two of each, so that a repeat records nothing', () => {
    const events = factsOf(both)
    const { state } = given(billingDecider, ...events)
    const { invoices, subscriptions, refunds, creditNotes, disputes, disputeFees } = state
    expect(
      [invoices, subscriptions, refunds, creditNotes, disputes, disputeFees].map(
        ({ size }) => size,
      ),
    ).toEqual([2, 2, 2, 2, 2, 2])
    expect(factsOf(both, events)).toEqual([])
  })

  it('are booked twice', () => {
    const alone = balancesOf(factsOf(one))
    expect(balancesOf(factsOf(both))).toEqual(
      Object.fromEntries(Object.entries(alone).map(([account, sum]) => [account, 2 * sum])),
    )
  })

  it('are two sides of two reconciliations', () => {
    const side = customerOnBothSides(1)
    // The product's ids are made from the refs.
    const elsewhere = JSON.parse(
      JSON.stringify(atOther(side)).replaceAll(
        /"(subscription|refund|creditnote|dispute)_1"/g,
        '"$1_2"',
      ),
    ) as typeof side
    const log = noLogRecords()
    const events = [...side.events, ...elsewhere.events]
    for (const event of events) foldLogRecords(log, event)
    const objectsOf = (of: typeof side) => [
      ...of.fee.map(feeRecord),
      ...providerRecords({
        invoices: of.invoice,
        charges: of.charge,
        refunds: of.refund,
        creditNotes: of.creditNote,
        disputes: of.dispute,
        subscriptions: of.subscription,
      }),
    ]
    const counts = { payment: 1, refund: 1, 'credit note': 1, dispute: 1, fee: 1, subscription: 1 }
    expect(compare(ofProvider(log, 'stripe'), objectsOf(side))).toEqual({
      differences: [],
      compared: counts,
    })
    expect(compare(ofProvider(log, 'other'), objectsOf(elsewhere))).toEqual({
      differences: [],
      compared: counts,
    })
  })
})

it('the adapter refuses an object of another provider', () => {
  expect(stripeIdOf(refOf('in_1'))).toBe('in_1')
  expect(() => stripeIdOf(refAt('other', 'in_1'))).toThrow('Stripe does not have other:in_1')
})

it('a ref is no text to the compiler, and a text is no ref', () => {
  const isText: ProviderRef extends string ? true : false = false
  const isRef: string extends ProviderRef ? true : false = false
  expect([isText, isRef]).toEqual([false, false])
})
