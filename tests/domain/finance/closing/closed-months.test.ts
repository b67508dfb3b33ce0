import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { ReportName } from '#contracts/finance/report-columns'
import { createAccountingDates } from '#services/finance/accounting-date'
import { addMonths, lastDayOf, type Day } from '#services/finance/calendar'
import { createMonthBooks } from '#services/finance/closing/month-books'
import { createLedger } from '#services/finance/ledger/ledger'
import { reportByName } from '#services/reports/report-by-name'
import type { ReportRow } from '#services/finance/reports/report-types'
import {
  arbitraryCuts,
  arbitraryFinanceEvents,
  firstClosed as first,
  stepsOf,
  type Step,
} from '../../../support/data/arbitrary-closes.ts'
import { month, zone } from '../../../support/data/finance-values.ts'

const timeZone = zone('America/New_York')

const names = [
  'revenue',
  'mrr',
  'subscriptions',
  'recognized',
  'trial-balance',
  'refunds',
  'failed-payments',
  'retention',
] as const satisfies readonly ReportName[]

/** The rows of a report by the end of `asOf`, over the steps of a log. */
function rowsOf(name: ReportName, steps: readonly Step[], asOf: Day): readonly ReportRow[] {
  const dates = createAccountingDates(timeZone)
  const parameters = { from: null, to: null, asOf, knownAt: null, currency: null, timeZone }
  const run = reportByName(name).begin(parameters, dates)
  const rows = steps.flatMap((step) => {
    if ('event' in step) return run.add(step.event)
    dates.close(step.close)
    return []
  })
  return [...rows, ...run.finish()]
}

describe('a closed month', () => {
  it.each(names)('keeps its rows in the report %s, whatever is recorded later', (name) => {
    fc.assert(
      fc.property(arbitraryFinanceEvents, arbitraryCuts, fc.nat(), (events, cuts, which) => {
        const steps = stepsOf(events, cuts)
        const close = addMonths(first, which % cuts.length)
        const until = steps.findIndex((step) => 'close' in step && step.close === close)
        const asOf = lastDayOf(close)
        expect(rowsOf(name, steps, asOf)).toEqual(rowsOf(name, steps.slice(0, until), asOf))
      }),
      { numRuns: 50 },
    )
  })

  it('adds up, with its adjustments, to what the books have without a close', () => {
    fc.assert(
      fc.property(arbitraryFinanceEvents, arbitraryCuts, (events, cuts) => {
        const steps = stepsOf(events, cuts)
        const theEnd = lastDayOf(month('2050-12'))
        // A refund that is booked later finds more delivered service: it moves from one account of
        // net revenue to another.
        const accountOf = ({ account }: ReportRow) =>
          ['revenue', 'refunds', 'credits', 'disputes'].includes(String(account))
            ? 'net revenue'
            : String(account)
        const open = steps.filter((step) => 'event' in step)
        expect(sums(rowsOf('trial-balance', steps, theEnd), accountOf)).toEqual(
          sums(rowsOf('trial-balance', open, theEnd), accountOf),
        )
      }),
    )
  })

  it('has each event of the log in one close', () => {
    fc.assert(
      fc.property(arbitraryFinanceEvents, arbitraryCuts, (events, cuts) => {
        const steps = stepsOf(events, cuts)
        const closes = cuts.map((_, index) => addMonths(first, index))
        const booked = closes.flatMap((close, index) => {
          const dates = createAccountingDates(timeZone)
          const ledger = createLedger(dates)
          const books = createMonthBooks({ month: close, isFirst: index === 0 }, dates)
          const ids: string[] = []
          for (const step of steps) {
            if ('close' in step) {
              if (step.close === close) break
              dates.close(step.close)
            } else if (books.book(step.event, ledger.book(step.event))) ids.push(step.event.id)
          }
          return ids
        })
        expect(new Set(booked).size).toBe(booked.length)
        const dates = createAccountingDates(timeZone)
        const last = closes.at(-1) ?? first
        const inClosed = steps.flatMap((step) => {
          if ('close' in step) {
            dates.close(step.close)
            return []
          }
          const { date } = dates.dateOf(step.event.metadata.occurredAt)
          return date <= lastDayOf(last) ? [step.event.id] : []
        })
        expect(booked.toSorted()).toEqual(inClosed.toSorted())
      }),
    )
  })

  it('has the totals of the journal of the month', () => {
    fc.assert(
      fc.property(arbitraryFinanceEvents, arbitraryCuts, (events, cuts) => {
        const steps = stepsOf(events, cuts)
        const close = addMonths(first, cuts.length - 1)
        const dates = createAccountingDates(timeZone)
        const ledger = createLedger(dates)
        const books = createMonthBooks({ month: close, isFirst: false }, dates)
        for (const step of steps) {
          if ('event' in step) books.book(step.event, ledger.book(step.event))
          else if (step.close === close) break
          else dates.close(step.close)
        }
        const journal = rowsOf('journal', steps, lastDayOf(close)).filter(({ date }) =>
          String(date).startsWith(close),
        )
        const keyOf = ({ account, currency }: ReportRow) => `${account} ${currency}`
        const totals = books.totals().map((total): ReportRow => ({ ...total }))
        expect(sums(totals, keyOf)).toEqual(sums(journal, keyOf))
      }),
    )
  })
})

/** Debit less credit by key, without zeros. */
function sums(rows: readonly ReportRow[], keyOf: (row: ReportRow) => string) {
  const result = new Map<string, number>()
  for (const row of rows) {
    const key = `${keyOf(row)} ${row['currency']}`
    result.set(key, (result.get(key) ?? 0) + Number(row['debit']) - Number(row['credit']))
  }
  return new Map([...result].filter(([, sum]) => sum !== 0).sort(([a], [b]) => (a < b ? -1 : 1)))
}
