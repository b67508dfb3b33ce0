import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { BillingEvent } from '#contracts/events/billing'
import { createAccountingDates } from '#services/finance/accounting-date'
import { dayOfNumber, lastDayOf, type Month } from '#services/finance/calendar'
import { createLedger, entriesThrough } from '#services/finance/ledger/ledger'
import { lastServiceDay } from '#services/finance/ledger/recognition'
import { recognizedOf } from '#services/finance/ledger/recognized'
import { revenueOf } from '#services/finance/ledger/revenue'
import { billing, observed, type DataOf } from '../../../support/data/events.ts'
import { day, month, zone } from '../../../support/data/finance-values.ts'
import { amountsOf } from '../../../support/data/provider-invoice.ts'
import { samplePayloads } from '../../../support/data/sample-payloads.ts'

const at = (date: string) => `${date}T09:00:00.000Z`
const usd = (amount: number) => ({ amount, currency: 'usd' })

/** 30.00 for April 2026, which has 30 days: 1.00 per day. */
function april(changes: Partial<DataOf<'PaymentSucceeded'>> = {}): BillingEvent {
  return {
    type: 'PaymentSucceeded',
    data: {
      ...samplePayloads.PaymentSucceeded,
      amounts: amountsOf(30_00),
      lines: [],
      periodStart: at('2026-04-01'),
      periodEnd: at('2026-05-01'),
      ...changes,
    },
  }
}

function refund(status: 'pending' | 'succeeded', amount = 12_00): BillingEvent {
  const data = { ...samplePayloads.RefundRecorded, amount: usd(amount), status }
  return { type: 'RefundRecorded', data }
}

function refundStatus(from: 'pending' | 'succeeded', to: 'failed' | 'succeeded'): BillingEvent {
  const data = { refundId: 'refund_1', amount: usd(12_00), from, to, ...observed }
  return { type: 'RefundStatusChanged', data }
}

function creditNote(changes: Partial<DataOf<'CreditNoteIssued'>>): BillingEvent {
  const parts = { refunded: 0, toBalance: 0, total: usd(3_00), beforePayment: 3_00 }
  return {
    type: 'CreditNoteIssued',
    data: { ...samplePayloads.CreditNoteIssued, ...parts, ...changes },
  }
}

function failed(due: number): BillingEvent {
  const data = { ...samplePayloads.PaymentFailed, paymentId: 'payment_1', due: usd(due) }
  return { type: 'PaymentFailed', data }
}

function chargeback(amount: number): BillingEvent {
  const data = { ...samplePayloads.DisputeOpened, paymentId: 'payment_1' }
  return { type: 'DisputeOpened', data: { ...data, kind: 'chargeback', amount: usd(amount) } }
}

function closed(amount: number, outcome: 'won' | 'lost'): BillingEvent {
  const { disputeId } = samplePayloads.DisputeOpened
  return { type: 'DisputeClosed', data: { disputeId, amount: usd(amount), outcome, ...observed } }
}

type Step = readonly [string, BillingEvent] | { readonly close: Month }

/** The bookings of the events, in the order in which they were recorded. */
function book(...steps: readonly Step[]) {
  const dates = createAccountingDates(zone('UTC'))
  const ledger = createLedger(dates)
  return steps.flatMap((step, revision) => {
    if ('close' in step) {
      dates.close(step.close)
      return []
    }
    const [date, event] = step
    return [ledger.book(billing('usr_1', event, { occurredAt: at(date), revision }))]
  })
}

/** `date kind account amount` of every line: a debit is positive. */
function journal(bookings: ReturnType<typeof book>, through = '2026-12-31'): readonly string[] {
  return bookings
    .flatMap((booking) => entriesThrough(booking, day(through)))
    .flatMap(({ date, kind, adjusts, lines }) =>
      lines.map(
        ({ account, amount }) =>
          `${date} ${kind} ${account} ${amount / 100}${adjusts === null ? '' : ` (${adjusts})`}`,
      ),
    )
}

/** The balances of the accounts that are not 0, from the lines of a journal. */
function balancesOf(lines: readonly string[]): Readonly<Record<string, number>> {
  const minor = new Map<string, number>()
  for (const line of lines) {
    const [, , account = '', amount] = line.split(' ')
    minor.set(account, (minor.get(account) ?? 0) + Math.round(Number(amount) * 100))
  }
  return Object.fromEntries(
    [...minor].filter(([, sum]) => sum !== 0).map(([account, sum]) => [account, sum / 100]),
  )
}

/** The recognition of the last months of a year, one amount per month. */
function recognitions(year: string, amounts: readonly number[]): readonly string[] {
  return amounts.flatMap((amount, index) => {
    const number = String(13 - amounts.length + index).padStart(2, '0')
    const date = lastDayOf(month(`${year}-${number}`))
    const lines = { deferred_revenue: amount, revenue: -amount }
    return Object.entries(lines).map(([account, sum]) => `${date} recognition ${account} ${sum}`)
  })
}

describe('the books', () => {
  it('recognize the month in progress up to the day', () => {
    const paid = book(['2026-04-01', april()])
    const recognized = (through: string) =>
      journal(paid, through).filter((line) => line.includes('recognition'))
    expect(recognized('2026-03-31')).toEqual([])
    expect(recognized('2026-04-10')).toEqual([
      '2026-04-10 recognition deferred_revenue 10',
      '2026-04-10 recognition revenue -10',
    ])
    expect(recognized('2026-12-31')).toEqual([
      '2026-04-30 recognition deferred_revenue 30',
      '2026-04-30 recognition revenue -30',
    ])
    const [schedule] = paid.flatMap((booking) => booking.schedule ?? [])
    expect(schedule && lastServiceDay(schedule)).toBe(lastDayOf(month('2026-04')))
  })

  it('recognize a late payment from its day on: the earlier days at once', () => {
    expect(journal(book(['2026-05-03', april()]))).toEqual([
      '2026-05-03 sale receivable 30',
      '2026-05-03 sale deferred_revenue -30',
      '2026-05-03 settlement cash 30',
      '2026-05-03 settlement receivable -30',
      '2026-05-03 recognition deferred_revenue 30',
      '2026-05-03 recognition revenue -30',
    ])
  })

  it('book a refund when it succeeds, and recognize again what a failed refund had taken', () => {
    const bookings = book(
      ['2026-04-01', april()],
      ['2026-04-20', refund('pending')],
      ['2026-04-24', refundStatus('pending', 'succeeded')],
      ['2026-05-02', refundStatus('succeeded', 'failed')],
    )
    expect(bookings[1]).toEqual({ entries: [], schedule: null })
    expect(journal(bookings.slice(2))).toEqual([
      '2026-04-24 refund deferred_revenue 6',
      '2026-04-24 refund refunds 6',
      '2026-04-24 refund cash -12',
      '2026-04-30 recognition deferred_revenue -6',
      '2026-04-30 recognition revenue 6',
      '2026-05-02 refund-reversal deferred_revenue -6',
      '2026-05-02 refund-reversal refunds -6',
      '2026-05-02 refund-reversal cash 12',
      '2026-05-02 recognition deferred_revenue 6',
      '2026-05-02 recognition revenue -6',
    ])
  })

  it('neither defer nor recognize a prepaid year while its chargeback is open', () => {
    // 365.00 for 2026, of which 40 days are delivered.
    const year = april({
      amounts: amountsOf(365_00),
      periodStart: at('2026-01-01'),
      periodEnd: at('2027-01-01'),
    })
    const open = book(['2026-01-01', year], ['2026-02-09', chargeback(365_00)])
    expect(journal(open.slice(1))).toEqual([
      '2026-02-09 dispute deferred_revenue 325',
      '2026-02-09 dispute disputes 40',
      '2026-02-09 dispute cash -365',
      // The schedule of the sale continues, and the chargeback takes it back.
      ...recognitions(
        '2026',
        [19, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].map((days) => -days),
      ),
    ])
    for (const end of ['2026-02-09', '2026-05-31', '2026-12-31'])
      expect(balancesOf(journal(open, end))).toEqual({ disputes: 40, revenue: -40 })

    const lost = book(
      ['2026-01-01', year],
      ['2026-02-09', chargeback(365_00)],
      ['2026-03-01', closed(365_00, 'lost')],
    )
    expect(lost[2]).toEqual({ entries: [], schedule: null })

    const won = book(
      ['2026-01-01', year],
      ['2026-02-09', chargeback(365_00)],
      ['2026-03-31', closed(365_00, 'won')],
    )
    expect(journal(won.slice(2)).slice(0, 7)).toEqual([
      '2026-03-31 dispute-won deferred_revenue -325',
      '2026-03-31 dispute-won disputes -40',
      '2026-03-31 dispute-won cash 365',
      // The days since the chargeback are delivered: those of February and of March.
      '2026-03-31 recognition deferred_revenue 19',
      '2026-03-31 recognition revenue -19',
      '2026-03-31 recognition deferred_revenue 31',
      '2026-03-31 recognition revenue -31',
    ])
    expect(balancesOf(journal(won, '2026-03-31'))).toEqual({
      cash: 365,
      deferred_revenue: -275,
      revenue: -90,
    })
  })

  it('are the same after a won chargeback as without it, and are empty after a lost one', () => {
    const amounts = fc.record({ net: fc.integer({ min: 1, max: 9_999_99 }), tax: fc.nat(99_99) })
    const days = fc.record({ opened: fc.nat(500), after: fc.nat(200), paid: fc.nat(60) })
    fc.assert(
      fc.property(amounts, days, ({ net, tax }, { opened, after, paid }) => {
        const total = net + tax
        const on = (index: number) => dayOfNumber(20_454 + index)
        const sale: Step = [
          on(paid),
          april({
            amounts: { ...amountsOf(total), tax },
            periodStart: at(on(0)),
            periodEnd: at(on(365)),
          }),
        ]
        const taken: Step = [on(paid + opened), chargeback(total)]
        const decided = (outcome: 'won' | 'lost'): Step => [
          on(paid + opened + after),
          closed(total, outcome),
        ]
        const balances = (...steps: readonly Step[]) =>
          balancesOf(journal(book(...steps), '2030-12-31'))
        expect(balances(sale, taken, decided('won'))).toEqual(balances(sale))
        for (const end of [on(paid + opened), on(paid + opened + after), '2030-12-31']) {
          const bookings = book(sale, taken, decided('lost'))
          const { deferred_revenue, tax_payable, cash, ...left } = balancesOf(
            journal(bookings, end),
          )
          expect([deferred_revenue, tax_payable, cash]).toEqual([undefined, undefined, undefined])
          // What was delivered is revenue, and the chargeback reduces it.
          expect((left['revenue'] ?? 0) + (left['disputes'] ?? 0)).toBe(0)
        }
      }),
    )
  })

  it('book the fee of a dispute, and its return', () => {
    const fee = (amount: number): BillingEvent => ({
      type: 'DisputeFeeCharged',
      data: { ...samplePayloads.DisputeFeeCharged, fee: usd(amount) },
    })
    const booked = book(
      ['2026-04-01', april()],
      ['2026-04-05', chargeback(30_00)],
      ['2026-04-05', fee(15_00)],
      ['2026-04-20', closed(30_00, 'won')],
      ['2026-04-20', fee(-15_00)],
    )
    const [, , charged, , returned] = booked
    expect(journal(charged === undefined ? [] : [charged])).toEqual([
      '2026-04-05 dispute-fee dispute_fees 15',
      '2026-04-05 dispute-fee cash -15',
    ])
    expect(journal(returned === undefined ? [] : [returned])).toEqual([
      '2026-04-20 dispute-fee dispute_fees -15',
      '2026-04-20 dispute-fee cash 15',
    ])
    expect(balancesOf(journal(booked))).toEqual({ cash: 30, revenue: -30 })
  })

  it('have no cash at the provider from a payment outside the provider', () => {
    const note = { beforePayment: 0, outOfBand: 3_00, reason: null }
    const booked = book(
      ['2026-04-01', april({ paidBy: [{ kind: 'outside', amount: 30_00 }] })],
      ['2026-05-02', creditNote({ paymentId: 'payment_1', tax: 0, ...note })],
    )
    expect(balancesOf(journal(booked))).toEqual({ cash_outside: 27, credits: 3, revenue: -30 })
  })

  it('have at the provider only what an invoice that was paid partly outside brought there', () => {
    const [card] = samplePayloads.PaymentSucceeded.paidBy
    if (card === undefined) throw new Error('The sample has a card.')
    const booked = book([
      '2026-04-01',
      april({ paidBy: [card, { kind: 'outside', amount: 12_00 }] }),
    ])
    expect(balancesOf(journal(booked))).toEqual({ cash: 18, cash_outside: 12, revenue: -30 })
  })

  it('take the rest of a payment that becomes known after its chargeback when it is lost', () => {
    const lost = book(
      ['2026-04-05', chargeback(30_00)],
      ['2026-04-06', april()],
      ['2026-04-20', closed(30_00, 'lost')],
    )
    expect(journal(lost.slice(2)).slice(0, 2)).toEqual([
      '2026-04-20 dispute-lost deferred_revenue 10',
      '2026-04-20 dispute-lost disputes -10',
    ])
    expect(balancesOf(journal(lost))).toEqual({ disputes: 20, revenue: -20 })
  })

  it('return the whole tax over several refunds, and no more', () => {
    const amounts = { ...amountsOf(10_00), tax: 1_00 }
    const refunds = [3_33, 3_33, 3_34, 5_00].map((amount, index): Step => {
      const data = { ...samplePayloads.RefundRecorded, refundId: `refund_${index}` }
      return [
        '2026-06-01',
        { type: 'RefundRecorded', data: { ...data, amount: usd(amount), status: 'succeeded' } },
      ]
    })
    const lines = journal(book(['2026-04-01', april({ amounts })], ...refunds))
    expect(lines.filter((line) => line.includes('refund tax_payable'))).toEqual([
      '2026-06-01 refund tax_payable 0.33',
      '2026-06-01 refund tax_payable 0.34',
      '2026-06-01 refund tax_payable 0.33',
    ])
  })

  it('show a failed invoice without revenue, and correct it by later attempts', () => {
    const data = { ...samplePayloads.InvoiceWrittenOff, due: usd(20_00) }
    const lines = journal(
      book(
        ['2026-04-01', failed(30_00)],
        ['2026-04-04', failed(20_00)],
        ['2026-04-20', { type: 'InvoiceWrittenOff', data }],
        ['2026-04-21', failed(20_00)],
      ),
    )
    expect(lines).toEqual([
      '2026-04-01 unpaid-invoice receivable 30',
      '2026-04-01 unpaid-invoice unpaid_invoices -30',
      '2026-04-04 unpaid-invoice receivable -10',
      '2026-04-04 unpaid-invoice unpaid_invoices 10',
      '2026-04-20 unpaid-invoice receivable -20',
      '2026-04-20 unpaid-invoice unpaid_invoices 20',
    ])
  })

  it('book a credit note on an open invoice with the payment', () => {
    const amounts = { ...amountsOf(27_00), subtotal: 30_00, total: 30_00 }
    const [first, noted, paid] = book(
      ['2026-04-01', failed(30_00)],
      ['2026-04-02', creditNote({})],
      ['2026-04-30', april({ amounts })],
    )
    const known = [first, noted, paid].map((booking) => journal(booking ? [booking] : []))
    expect(known[1]).toEqual([
      '2026-04-02 unpaid-invoice receivable -3',
      '2026-04-02 unpaid-invoice unpaid_invoices 3',
    ])
    expect(known[2]).toEqual([
      '2026-04-30 unpaid-invoice receivable -27',
      '2026-04-30 unpaid-invoice unpaid_invoices 27',
      '2026-04-30 sale receivable 30',
      '2026-04-30 sale deferred_revenue -30',
      '2026-04-30 settlement cash 27',
      '2026-04-30 settlement receivable -27',
      '2026-04-30 credit-note credits 3',
      '2026-04-30 credit-note receivable -3',
      '2026-04-30 recognition deferred_revenue 30',
      '2026-04-30 recognition revenue -30',
    ])
  })

  it('reverse a voided credit note', () => {
    const data = { creditNoteId: 'creditnote_1', total: usd(3_00) }
    const lines = journal(
      book(
        ['2026-04-01', april()],
        ['2026-04-10', creditNote({ beforePayment: 0, toBalance: 3_00 })],
        ['2026-04-12', { type: 'CreditNoteVoided', data }],
      ),
      '2026-04-12',
    )
    expect(lines.slice(-4)).toEqual([
      '2026-04-12 credit-note-void deferred_revenue -3',
      '2026-04-12 credit-note-void customer_balance 3',
      '2026-04-12 recognition deferred_revenue 0.3',
      '2026-04-12 recognition revenue -0.3',
    ])
  })

  it('book an invoice of a negative total as credit to the balance', () => {
    const amounts = { ...amountsOf(0), subtotal: -5_00, total: -5_00, fromBalance: -5_00 }
    const [credited] = book(['2026-04-01', april({ amounts })])
    expect(journal(credited ? [credited] : [], '2026-04-01')).toEqual([
      '2026-04-01 credit-invoice receivable -5',
      '2026-04-01 credit-invoice deferred_revenue 5',
      '2026-04-01 settlement customer_balance -5',
      '2026-04-01 settlement receivable 5',
      '2026-04-01 recognition deferred_revenue -0.17',
      '2026-04-01 recognition revenue 0.17',
    ])
    const [entry] = credited?.entries ?? []
    expect(entry && revenueOf(entry)).toMatchObject({ gross: 0, credits: 5_00, net: -5_00 })
    expect(entry && recognizedOf(entry)).toEqual({ recognized: 0, deferred: -5_00 })
  })

  it('book a refund of an unknown payment without plan, tax and deferred revenue', () => {
    expect(journal(book(['2026-04-10', refund('succeeded')]))).toEqual([
      '2026-04-10 refund refunds 12',
      '2026-04-10 refund cash -12',
    ])
  })

  it('date a late fact of a closed month on the first open day, as an adjustment', () => {
    const april2026 = month('2026-04')
    const lines = journal(
      book(
        ['2026-04-01', april()],
        { close: april2026 },
        ['2026-04-24', refund('succeeded')],
        ['2026-04-28', april({ paymentId: 'payment_2' })],
      ).slice(1),
    )
    expect(lines).toEqual([
      '2026-05-01 refund refunds 12 (2026-04)',
      '2026-05-01 refund cash -12 (2026-04)',
      '2026-05-01 sale receivable 30 (2026-04)',
      '2026-05-01 sale deferred_revenue -30 (2026-04)',
      '2026-05-01 settlement cash 30 (2026-04)',
      '2026-05-01 settlement receivable -30 (2026-04)',
      '2026-05-01 recognition deferred_revenue 30 (2026-04)',
      '2026-05-01 recognition revenue -30 (2026-04)',
    ])
  })
})
