import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { BillingEvent } from '#contracts/events/billing'
import { createAccountingDates } from '#services/finance/accounting-date'
import { dayOfNumber } from '#services/finance/calendar'
import { createLedger, entriesThrough } from '#services/finance/ledger/ledger'
import { billing, observed } from '../../../support/data/events.ts'
import { zone } from '../../../support/data/finance-values.ts'
import { amountsOf } from '../../../support/data/provider-invoice.ts'
import { samplePayloads } from '../../../support/data/sample-payloads.ts'

/*
 * Money that was given back and comes back: a won chargeback, a refund that fails after it
 * succeeded, a voided credit note.
 */

/** 2026-01-01 is day 20,454 since 1970-01-01. */
const on = (index: number) => dayOfNumber(20_454 + index)
const at = (index: number) => `${on(index)}T09:00:00.000Z`
const usd = (amount: number) => ({ amount, currency: 'usd' })

type Step = readonly [day: number, event: BillingEvent]

interface Line {
  readonly amount: number
  readonly from: number
  readonly days: number
}

const arbitraryLine: fc.Arbitrary<Line> = fc.record({
  amount: fc.integer({ min: -99_99, max: 499_99 }),
  from: fc.integer({ min: -30, max: 60 }),
  days: fc.integer({ min: 1, max: 400 }),
})

/** An invoice whose lines end on different days, as after an upgrade at once. */
function invoice(lines: readonly Line[]): BillingEvent {
  const [first] = samplePayloads.PaymentSucceeded.lines
  if (first === undefined) throw new Error('The sample has a line.')
  const total = lines.reduce((sum, { amount }) => sum + amount, 0)
  return {
    type: 'PaymentSucceeded',
    data: {
      ...samplePayloads.PaymentSucceeded,
      amounts: amountsOf(total),
      lines: lines.map(({ amount, from, days }) => ({
        ...first,
        amount,
        periodStart: at(from),
        periodEnd: at(from + days),
      })),
      periodStart: at(0),
      periodEnd: at(365),
    },
  }
}

type Way = 'chargeback' | 'refund' | 'credit note'

function given(way: Way, id: string, amount: number): BillingEvent {
  switch (way) {
    case 'chargeback': {
      const data = { ...samplePayloads.DisputeOpened, paymentId: 'payment_1' }
      return { type: 'DisputeOpened', data: { ...data, disputeId: id, amount: usd(amount) } }
    }
    case 'refund': {
      const data = { ...samplePayloads.RefundRecorded, paymentId: 'payment_1', refundId: id }
      return { type: 'RefundRecorded', data: { ...data, amount: usd(amount), status: 'succeeded' } }
    }
    case 'credit note': {
      const data = { ...samplePayloads.CreditNoteIssued, paymentId: 'payment_1', refunded: 0 }
      const parts = { creditNoteId: id, total: usd(amount), toBalance: amount }
      return { type: 'CreditNoteIssued', data: { ...data, ...parts } }
    }
    default:
      return way satisfies never
  }
}

function returned(way: Way, id: string, amount: number): BillingEvent {
  switch (way) {
    case 'chargeback': {
      const data = { disputeId: id, amount: usd(amount), outcome: 'won', ...observed } as const
      return { type: 'DisputeClosed', data }
    }
    case 'refund': {
      const states = { from: 'succeeded', to: 'failed' } as const
      const data = { refundId: id, amount: usd(amount), ...states, ...observed }
      return { type: 'RefundStatusChanged', data }
    }
    case 'credit note':
      return { type: 'CreditNoteVoided', data: { creditNoteId: id, total: usd(amount) } }
    default:
      return way satisfies never
  }
}

/** What is recognized by the end of each of the days, in cents. */
function recognizedBy(days: readonly number[], steps: readonly Step[]): readonly number[] {
  return balancesAt(days, steps, new Set(['revenue', 'refunds', 'credits', 'disputes']))
}

/** The credits less the debits of the accounts by the end of each of the days. */
function balancesAt(
  days: readonly number[],
  steps: readonly Step[],
  accounts: ReadonlySet<string>,
): readonly number[] {
  const ledger = createLedger(createAccountingDates(zone('UTC')))
  const bookings = steps.map(([day, event], revision) =>
    ledger.book(billing('usr_1', event, { occurredAt: at(day), revision })),
  )
  return days.map((day) => {
    const lines = bookings.flatMap((booking) =>
      entriesThrough(booking, on(day)).flatMap((entry) => entry.lines),
    )
    return lines.reduce((sum, { account, amount }) => sum - (accounts.has(account) ? amount : 0), 0)
  })
}

/** What is deferred at the end of each of the days, in cents. */
function deferredAt(days: readonly number[], steps: readonly Step[]): readonly number[] {
  return balancesAt(days, steps, new Set(['deferred_revenue']))
}

const upgrade = [
  { amount: -39_00, from: 0, days: 30 },
  { amount: 359_00, from: 0, days: 365 },
]

describe('revenue after money came back', () => {
  it.each(['chargeback', 'refund', 'credit note'] as const)(
    'is as if the %s of an upgrade had never been',
    (way) => {
      const sale: Step = [0, invoice(upgrade)]
      const steps: readonly Step[] = [
        sale,
        [0, given(way, 'one', 320_00)],
        [10, returned(way, 'one', 320_00)],
      ]
      const days = [10, 20, 29, 30, 31, 200, 364, 400]
      expect(recognizedBy(days, steps)).toEqual(recognizedBy(days, [sale]))
      // −39.00 × 21/30 + 359.00 × 21/365: the credit is used up first.
      expect(recognizedBy([20], steps)).toEqual([-6_65])
    },
  )

  it('is as if nothing had been given, whatever was given and in whatever order it came back', () => {
    const gift = fc.record({
      way: fc.constantFrom<Way>('chargeback', 'refund', 'credit note'),
      amount: fc.integer({ min: 1, max: 600_00 }),
      day: fc.nat(200),
      wait: fc.nat(300),
    })
    fc.assert(
      fc.property(
        fc.array(arbitraryLine, { minLength: 1, maxLength: 4 }),
        fc.nat(60),
        fc.array(gift, { minLength: 1, maxLength: 4 }),
        (lines, paid, gifts) => {
          fc.pre(lines.reduce((sum, { amount }) => sum + amount, 0) > 0)
          const sale: Step = [paid, invoice(lines)]
          const steps = gifts.flatMap(({ way, amount, day, wait }, index): Step[] => [
            [paid + day, given(way, `gift_${index}`, amount)],
            [paid + day + wait, returned(way, `gift_${index}`, amount)],
          ])
          const inOrder = steps.toSorted(([a], [b]) => a - b)
          const last = Math.max(...steps.map(([day]) => day))
          const days = [0, 1, 7, 30, 100, 365, 500].map((after) => last + after)
          expect(recognizedBy(days, [sale, ...inOrder])).toEqual(recognizedBy(days, [sale]))
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('a payment that was given back as a whole', () => {
  it.each(['chargeback', 'refund', 'credit note'] as const)(
    'by a %s after ten days of an upgrade leaves nothing deferred and nothing recognized',
    (way) => {
      const steps: readonly Step[] = [
        [0, invoice(upgrade)],
        [10, given(way, 'one', 320_00)],
      ]
      const days = [10, 20, 40, 400]
      expect(deferredAt(days, steps)).toEqual([0, 0, 0, 0])
      expect(recognizedBy(days, steps)).toEqual([0, 0, 0, 0])
    },
  )

  it('in parts, in any way, at any time leaves nothing deferred and nothing recognized', () => {
    const gift = fc.record({
      way: fc.constantFrom<Way>('chargeback', 'refund', 'credit note'),
      share: fc.integer({ min: 1, max: 9 }),
      day: fc.nat(200),
    })
    fc.assert(
      fc.property(
        fc.array(arbitraryLine, { minLength: 1, maxLength: 4 }),
        fc.nat(60),
        fc.array(gift, { minLength: 1, maxLength: 4 }),
        (lines, paid, gifts) => {
          const total = lines.reduce((sum, { amount }) => sum + amount, 0)
          fc.pre(total > 100)
          const inOrder = gifts.toSorted((a, b) => a.day - b.day)
          let left = total
          const steps = inOrder.map(({ way, share, day }, index): Step => {
            const isLast = index === inOrder.length - 1
            const amount = isLast ? left : Math.max(1, Math.floor((left * share) / 10))
            left -= amount
            return [paid + day, given(way, `gift_${index}`, amount)]
          })
          const last = Math.max(...steps.map(([day]) => day))
          const days = [0, 1, 7, 30, 100, 365, 500].map((after) => last + after)
          const history = [[paid, invoice(lines)] as const, ...steps]
          expect(deferredAt(days, history)).toEqual(days.map(() => 0))
          expect(recognizedBy(days, history)).toEqual(days.map(() => 0))
        },
      ),
      { numRuns: 500 },
    )
  })
})
