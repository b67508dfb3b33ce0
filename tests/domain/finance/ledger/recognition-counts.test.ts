import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  addDays,
  addMonths,
  dayOfNumber,
  monthOf,
  type Day,
  type Month,
} from '#services/finance/calendar'
import { entriesOf } from '#services/finance/ledger/entry'
import { entriesThrough } from '#services/finance/ledger/ledger'
import { recognitionByDay } from '#services/finance/ledger/recognition-by-day'
import { recognitionCounts, type CountChange } from '#services/finance/ledger/recognition-counts'
import {
  balanceContributions,
  recognizedContributions,
} from '#services/finance/reports/entry-contributions'
import type { Contribution } from '#services/finance/reports/report-types'

const start = 20_000
const origin = { currency: 'usd', planName: null }

/** Small amounts of both signs: days and whole months without a cent, and sums that are 0. */
const arbitraryBooking = fc
  .record({
    bookedOn: fc.integer({ min: start, max: start + 120 }),
    parts: fc.array(
      fc.record({
        amount: fc.integer({ min: -40, max: 40 }),
        from: fc.integer({ min: start - 60, max: start + 150 }),
        days: fc.integer({ min: 1, max: 150 }),
        cut: fc.integer({ min: -1, max: 100 }),
      }),
      { maxLength: 3 },
    ),
    deferred: fc.integer({ min: -3, max: 3 }),
    contra: fc.integer({ min: -3, max: 3 }),
  })
  .map(({ bookedOn, parts, deferred, contra }) => {
    const date = dayOfNumber(bookedOn)
    const time = { occurredOn: date, date, closedThrough: null }
    const fact = { eventId: 'event_1', time }
    const segments = parts
      .filter(({ amount }) => amount !== 0)
      .map(({ amount, from, days, cut }) => ({
        amount,
        from,
        to: from + days,
        after: from - 1 + Math.min(days - 1, Math.max(0, cut)),
      }))
    return {
      time,
      entries: entriesOf(fact, 'refund', origin, [
        { account: 'deferred_revenue', amount: deferred },
        { account: 'refunds', amount: contra },
        { account: 'cash', amount: -deferred - contra },
      ]),
      schedule: segments.length === 0 ? null : { ...fact, ...origin, parts: segments },
    }
  })

/** The changes up to a day, added together. */
const countOn = (changes: readonly CountChange[], day: Day) =>
  changes.filter((each) => each.day <= day).reduce((count, { change }) => count + change, 0)

const countOf = (contributions: readonly Contribution[]) =>
  contributions.reduce((sum, { amount }) => sum + amount, 0) === 0 ? 0 : 1

describe('the counts of the events that recognition moves', () => {
  it('are 1 on the days on which what the event adds is not 0, for any first month', () => {
    fc.assert(
      fc.property(arbitraryBooking, (booking) => {
        const { schedule } = booking
        const counts = recognitionCounts(
          booking,
          schedule === null ? [] : recognitionByDay(schedule),
        )
        const first = addMonths(monthOf(dayOfNumber(start)), -1)
        const months = Array.from({ length: 14 }, (_, index) => addMonths(first, index))
        for (
          let day = dayOfNumber(start - 3);
          day < dayOfNumber(start + 360);
          day = addDays(day, 9)
        ) {
          const entries = entriesThrough(booking, day)
          const recognized = entries.flatMap(recognizedContributions)
          const balances = entries.flatMap(balanceContributions).map((each) => ({
            ...each,
            amount: each.column === 'debit' ? each.amount : -each.amount,
          }))
          const onAccount = (account: string) =>
            balances.filter(({ row }) => row['account'] === account)
          const isOf = (column: string, from: Month | null) => (each: Contribution) =>
            each.column === column && (from === null || monthOf(each.day) >= from)
          expect({
            day,
            deferred: countOn(counts.deferred, day),
            revenue: countOn(counts.revenue, day),
            recognized: [null, ...months.filter((month) => month <= monthOf(day))].map((from) => [
              from,
              countOn(
                counts.recognized.filter((each) => (each.from ?? '') <= (from ?? '')),
                day,
              ),
            ]),
          }).toEqual({
            day,
            deferred: countOf(recognized.filter(isOf('deferred_at_end', null))),
            revenue: countOf(onAccount('revenue')),
            recognized: [null, ...months.filter((month) => month <= monthOf(day))].map((from) => [
              from,
              countOf(recognized.filter(isOf('recognized', from))),
            ]),
          })
        }
      }),
      { numRuns: 200 },
    )
  })
})
