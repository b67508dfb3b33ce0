import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { BillingEvent } from '#contracts/events/billing'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { createAccountingDates } from '#services/finance/accounting-date'
import { addMonths, dayOfNumber, lastDayOf, monthOf, type Day } from '#services/finance/calendar'
import { bookEvent } from '#services/finance/ledger/book-event'
import { emptyBooks, type Booking, type CustomerBooks } from '#services/finance/ledger/books'
import type { Entry } from '#services/finance/ledger/entry'
import { journalLines, type JournalLine } from '#services/finance/ledger/journal'
import { createLedger, entriesThrough } from '#services/finance/ledger/ledger'
import { createRecognized } from '#services/finance/ledger/recognized'
import { createRevenue } from '#services/finance/ledger/revenue'
import { createTrialBalance } from '#services/finance/ledger/trial-balance'
import { daysIn } from '#services/finance/time-zone'
import { arbitraryMoney } from '../../../support/data/arbitrary-money.ts'
import { zone } from '../../../support/data/finance-values.ts'

type Events = readonly RecordedEvent<BillingEvent>[]

const timeZone = zone('America/New_York')
/** After the end of every period of the histories. */
const theEnd = dayOfNumber(30_000)
/** 2026-01-01 to 2028-09-26. */
const anyDay = fc.integer({ min: 20_454, max: 21_454 }).map(dayOfNumber)

function bookingsOf(events: Events): readonly Booking[] {
  const ledger = createLedger(createAccountingDates(timeZone))
  return events.map((event) => ledger.book(event))
}

function entriesOf(bookings: readonly Booking[], through: Day): readonly Entry[] {
  return bookings.flatMap((booking) => entriesThrough(booking, through))
}

/** The sum of an account's lines, or of several accounts, by currency. */
function balances(entries: readonly Entry[], ...of: readonly string[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { currency, lines } of entries)
    for (const { account, amount } of lines)
      if (of.includes(account)) sums[currency] = (sums[currency] ?? 0) + amount
  return sums
}

const isZero = (sums: Record<string, number>) => Object.values(sums).every((sum) => sum === 0)

describe('the books of any history of billing events', () => {
  it('have entries that balance, with different ids, and lines on one side', () => {
    fc.assert(
      fc.property(arbitraryMoney, (events) => {
        const entries = entriesOf(bookingsOf(events), theEnd)
        expect(new Set(entries.map(({ entryId }) => entryId)).size).toBe(entries.length)
        const isBalanced = ({ lines }: Entry) =>
          lines.length > 1 && lines.reduce((sum, { amount }) => sum + amount, 0) === 0
        expect(entries.filter((entry) => !isBalanced(entry))).toEqual([])
        const isOfOneSide = ({ debit, credit }: JournalLine) =>
          Math.min(debit, credit) === 0 && Number.isSafeInteger(debit + credit)
        expect(entries.flatMap(journalLines).filter((line) => !isOfOneSide(line))).toEqual([])
      }),
    )
  })

  it('have a trial balance of zero in each currency, after every event and on every day', () => {
    fc.assert(
      fc.property(arbitraryMoney, anyDay, (events, through) => {
        const trial = createTrialBalance()
        for (const booking of bookingsOf(events)) {
          for (const entry of entriesThrough(booking, through)) trial.add(entry)
          const sums = { usd: 0, eur: 0 }
          for (const { currency, debit, credit } of trial.rows())
            sums[currency === 'usd' ? 'usd' : 'eur'] += debit - credit
          expect(sums).toEqual({ usd: 0, eur: 0 })
        }
      }),
    )
  })

  it('have no deferred revenue after the end of every period', () => {
    fc.assert(
      fc.property(arbitraryMoney, (events) => {
        const entries = entriesOf(bookingsOf(events), theEnd)
        expect(isZero(balances(entries, 'deferred_revenue'))).toBe(true)
      }),
    )
  })

  it('recognize and defer what was booked: the net revenue of all months', () => {
    fc.assert(
      fc.property(arbitraryMoney, anyDay, (events, through) => {
        const [revenue, recognized] = [createRevenue(), createRecognized()]
        for (const entry of entriesOf(bookingsOf(events), through)) {
          revenue.add(entry)
          recognized.add(entry)
        }
        const rows = recognized.rows(monthOf(through))
        for (const currency of ['usd', 'eur']) {
          const sold = revenue.rows().filter((row) => row.currency === currency)
          const net = sold.reduce((sum, row) => sum + row.net, 0)
          const known = rows.filter((row) => row.currency === currency)
          const total = known.reduce((sum, row) => sum + row.recognized, 0)
          expect(total + (known.at(-1)?.deferredAtEnd ?? 0)).toBe(net)
          for (const row of sold)
            expect(row.net).toBe(row.gross - row.refunds - row.credits - row.disputes)
        }
      }),
    )
  })

  it('read at the end of a month are those entries of the whole journal that are dated by then', () => {
    fc.assert(
      fc.property(arbitraryMoney, anyDay, (events, day) => {
        const through = lastDayOf(monthOf(day))
        const bookings = bookingsOf(events)
        const whole = entriesOf(bookings, theEnd).filter(({ date }) => date <= through)
        expect(entriesOf(bookings, through)).toEqual(whole)
      }),
    )
  })

  it('do not change by later events', () => {
    fc.assert(
      fc.property(arbitraryMoney, fc.nat({ max: 40 }), (events, count) => {
        expect(bookingsOf(events).slice(0, count)).toEqual(bookingsOf(events.slice(0, count)))
      }),
    )
  })

  it('do not depend on the order of the events of different customers', () => {
    fc.assert(
      fc.property(arbitraryMoney, (events) => {
        const byCustomer = events.toSorted((a, b) => (a.stream < b.stream ? -1 : 1))
        const booked = (of: Events) =>
          new Map(bookingsOf(of).map((booking, index) => [of[index]?.id, booking]))
        expect(booked(byCustomer)).toEqual(booked(events))
      }),
    )
  })

  it('continue from books that JSON has stored', () => {
    fc.assert(
      fc.property(arbitraryMoney, (events) => {
        const rules = { dayOf: daysIn(timeZone), closedThrough: null }
        const stored = new Map<string, string>()
        const bookings = events.map((event) => {
          const json = stored.get(event.stream)
          const before = json === undefined ? emptyBooks : (JSON.parse(json) as CustomerBooks)
          const { books, booking } = bookEvent(before, event, rules)
          stored.set(event.stream, JSON.stringify(books))
          return booking
        })
        expect(bookings).toEqual(bookingsOf(events))
      }),
    )
  })

  it('leave a closed month as it was, and date what is learned later after it', () => {
    fc.assert(
      fc.property(arbitraryMoney, fc.nat({ max: 40 }), anyDay, (events, count, day) => {
        const month = monthOf(day)
        const dates = createAccountingDates(timeZone)
        const ledger = createLedger(dates)
        const before = events.slice(0, count).map((event) => ledger.book(event))
        dates.close(month)
        const after = events.slice(count).map((event) => ledger.book(event))
        for (const entry of entriesOf(after, theEnd)) {
          expect(monthOf(entry.date) > month).toBe(true)
          if (entry.adjusts !== null) expect(entry.adjusts <= month).toBe(true)
        }
        expect(entriesOf(before, theEnd).every(({ adjusts }) => adjusts === null)).toBe(true)
      }),
    )
  })

  it('say of an adjustment which closed month would have had it', () => {
    fc.assert(
      fc.property(arbitraryMoney, anyDay, (events, day) => {
        const month = monthOf(day)
        const dates = createAccountingDates(timeZone)
        const ledger = createLedger(dates)
        dates.close(month)
        const late = entriesOf(
          events.map((event) => ledger.book(event)),
          theEnd,
        )
        const adjustments = late.filter(({ adjusts }) => adjusts !== null)
        const firstOpen = `${addMonths(month, 1)}-01`
        expect(adjustments.every(({ date }) => date === firstOpen)).toBe(true)
        expect(isZero(balances(late, 'deferred_revenue'))).toBe(true)
      }),
    )
  })
})
