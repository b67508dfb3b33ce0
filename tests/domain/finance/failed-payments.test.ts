import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { BillingEvent } from '#contracts/events/billing'
import type { RecordedEvent } from '#contracts/events/catalogue'
import type { ProviderRef } from '#contracts/events/provider-ref'
import {
  addOutcomeChange,
  failedPaymentMonths,
  type FailedPaymentMonths,
} from '#services/finance/failed-payments/failed-payment-months'
import {
  foldFailedPayments,
  type FailedInvoices,
} from '#services/finance/failed-payments/fold-failed-payments'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { billing, paymentFailed, paymentSucceeded } from '../../support/data/events.ts'
import { utcDates } from '../../support/data/finance.ts'
import { month } from '../../support/data/finance-values.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'

type Events = readonly RecordedEvent<BillingEvent>[]

const on = (date: string) => ({ occurredAt: `${date}T12:00:00.000Z` })
const usd = (amount: number) => ({ amount, currency: 'usd' })

function failed(date: string, invoiceRef: ProviderRef, amount = 3900) {
  return paymentFailed('usr_1', { invoiceRef, due: usd(amount) }, on(date))
}

function paid(date: string, invoiceRef: ProviderRef) {
  return paymentSucceeded('usr_1', { invoiceRef }, on(date))
}

function writtenOff(date: string, invoiceRef: ProviderRef, amount = 3900) {
  const data = { ...samplePayloads.InvoiceWrittenOff, invoiceRef, due: usd(amount) }
  return billing('usr_1', { type: 'InvoiceWrittenOff', data }, on(date))
}

/** For example by a credit note on the open invoice. */
function changed(date: string, invoiceRef: ProviderRef, amount = 3400) {
  const data = { ...samplePayloads.UnpaidInvoiceChanged, invoiceRef, due: usd(amount) }
  return billing('usr_1', { type: 'UnpaidInvoiceChanged', data }, on(date))
}

function changesOf(events: Events, closedThrough: string | null = null) {
  const invoices: FailedInvoices = new Map()
  const dates = utcDates(closedThrough === null ? null : month(closedThrough))
  return events.flatMap((event) => foldFailedPayments(invoices, event, dates) ?? [])
}

/** The rows of 2026 by the as-of day. */
function rows(events: Events, asOf = '2026-12-31') {
  const months: FailedPaymentMonths = new Map()
  for (const change of changesOf(events)) if (change.date <= asOf) addOutcomeChange(months, change)
  return failedPaymentMonths(months, month('2026-01'), month('2026-12'))
}

describe('failed payments', () => {
  const history = [
    failed('2026-03-01', refOf('in_1')),
    failed('2026-03-04', refOf('in_1')),
    failed('2026-03-10', refOf('in_2'), 1000),
    failed('2026-03-20', refOf('in_3'), 500),
    failed('2026-03-25', refOf('in_4'), 600),
    paid('2026-03-06', refOf('in_1')),
    paid('2026-03-30', refOf('in_5')),
    paid('2026-04-12', refOf('in_2')),
    writtenOff('2026-04-20', refOf('in_3'), 500),
  ]

  it('are in the month of the first failure, by what became of them', () => {
    expect(rows(history)).toEqual([
      {
        month: '2026-03',
        cause: 'renewal',
        currency: 'usd',
        failed: 4,
        attempts: 5,
        failedAmount: 6000,
        recovered: 2,
        recoveredAmount: 4900,
        writtenOff: 1,
        writtenOffAmount: 500,
        open: 1,
        openAmount: 600,
        recoveryRate: '0.8167',
        // 5 and 33 days.
        medianDays: 19,
      },
    ])
  })

  it('are open until the day of the payment', () => {
    expect(rows(history, '2026-03-31')).toMatchObject([
      { failed: 4, recovered: 1, open: 3, openAmount: 2100, medianDays: 5 },
    ])
  })

  it('of first payments at the checkout are apart from renewals', () => {
    const declined = (date: string, invoiceRef: ProviderRef) =>
      paymentFailed('usr_1', { invoiceRef, cause: 'first', due: usd(3900) }, on(date))
    const checkouts = [
      refOf('in_11'),
      refOf('in_12'),
      refOf('in_13'),
      refOf('in_14'),
      refOf('in_15'),
      refOf('in_16'),
      refOf('in_17'),
      refOf('in_18'),
    ] as const
    const renewals = [refOf('in_21'), refOf('in_22'), refOf('in_23'), refOf('in_24')] as const
    const events = [
      // Each customer pays with a second card at once, one after two declined cards.
      ...checkouts.map((each) => declined('2026-03-01', each)),
      declined('2026-03-01', refOf('in_11')),
      ...checkouts.map((each) => paid('2026-03-01', each)),
      ...renewals.map((each) => failed('2026-03-05', each)),
      ...renewals.map((each) => failed('2026-03-08', each)),
      paid('2026-03-08', refOf('in_21')),
    ]
    expect(rows(events)).toMatchObject([
      { cause: 'first', failed: 8, attempts: 9, recovered: 8, recoveryRate: '1.0000' },
      { cause: 'renewal', failed: 4, attempts: 8, recovered: 1, recoveryRate: '0.2500' },
    ])
  })

  it('of plan changes and single invoices are apart', () => {
    const other = paymentFailed(
      'usr_1',
      { invoiceRef: refOf('in_9'), cause: 'other' },
      on('2026-03-02'),
    )
    expect(rows([other, ...history])).toMatchObject([
      { cause: 'renewal', failed: 4 },
      { cause: 'other', failed: 1, attempts: 1, open: 1 },
    ])
  })

  it('have a row for each currency', () => {
    const euro = paymentFailed(
      'usr_2',
      { invoiceRef: refOf('in_9'), due: { amount: 700, currency: 'eur' } },
      on('2026-03-02'),
    )
    expect(rows([euro, ...history])).toMatchObject([
      { currency: 'eur', failedAmount: 700 },
      { currency: 'usd', failedAmount: 6000 },
    ])
  })

  it('follow a change of the amount due', () => {
    const lower = [
      failed('2026-03-01', refOf('in_1'), 900),
      failed('2026-03-05', refOf('in_1'), 400),
    ]
    expect(rows(lower)).toMatchObject([{ failed: 1, failedAmount: 400, openAmount: 400 }])
    expect(rows(lower, '2026-03-04')).toMatchObject([{ failed: 1, failedAmount: 900 }])
  })

  it('follow a change of the amount due between two attempts', () => {
    const reduced = [failed('2026-03-01', refOf('in_1')), changed('2026-03-02', refOf('in_1'))]
    expect(rows(reduced)).toMatchObject([{ attempts: 1, failedAmount: 3400, openAmount: 3400 }])
    expect(rows(reduced, '2026-03-01')).toMatchObject([{ failedAmount: 3900 }])
    expect(rows([...reduced, paid('2026-03-03', refOf('in_1'))])).toMatchObject([
      { failedAmount: 3400, recoveredAmount: 3400, openAmount: 0 },
    ])
    const givenUp = [failed('2026-03-01', refOf('in_1')), writtenOff('2026-03-02', refOf('in_1'))]
    expect(rows([...givenUp, changed('2026-03-03', refOf('in_1'))])).toMatchObject([
      { writtenOff: 1, writtenOffAmount: 3400, open: 0 },
    ])
  })

  it('are recovered if a written-off invoice is paid after all', () => {
    expect(
      rows([
        failed('2026-03-01', refOf('in_1')),
        writtenOff('2026-04-01', refOf('in_1')),
        paid('2026-05-01', refOf('in_1')),
      ]),
    ).toMatchObject([{ failed: 1, recovered: 1, writtenOff: 0, writtenOffAmount: 0 }])
  })

  it('do not change after the payment', () => {
    const before = [failed('2026-03-01', refOf('in_1')), paid('2026-03-02', refOf('in_1'))]
    const after = [
      failed('2026-03-03', refOf('in_1'), 100),
      writtenOff('2026-03-04', refOf('in_1')),
    ]
    expect(rows([...before, ...after])).toEqual(rows(before))
  })

  it('of a closed month count in the first open month, and name the closed month', () => {
    expect(changesOf([failed('2026-03-01', refOf('in_1'))], '2026-04')).toMatchObject([
      { failedIn: '2026-05', date: '2026-05-01', adjusts: '2026-03' },
    ])
  })

  it('are recovered, written off or open in any history, and no number is negative', () => {
    const step = fc.record({
      invoice: fc.constantFrom(refOf('in_1'), refOf('in_2'), refOf('in_3')),
      kind: fc.constantFrom(failed, failed, changed, paid, writtenOff),
      day: fc.integer({ min: 10, max: 28 }),
      at: fc.constantFrom('2026-01', '2026-02', '2026-03'),
    })
    const asOf = fc.constantFrom('2026-01-15', '2026-02-28', '2026-12-31')
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), asOf, (steps, day) => {
        const events = steps.map((each) => each.kind(`${each.at}-${each.day}`, each.invoice))
        for (const row of rows(events, day)) {
          expect(row.recovered + row.writtenOff + row.open).toBe(row.failed)
          expect(row.recoveredAmount + row.writtenOffAmount + row.openAmount).toBe(row.failedAmount)
          expect(Math.min(row.recovered, row.writtenOff, row.open)).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })
})
