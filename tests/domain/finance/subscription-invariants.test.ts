import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { BillingEvent } from '#contracts/events/billing'
import {
  noDeductions,
  type Deductions,
  type SubscriptionTerms,
} from '#contracts/events/billing-parts'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { streamOwner } from '#services/foundation/stream-names'
import { lastDayOf, monthsBetween, parseMonth, type Month } from '#services/finance/calendar'
import {
  foldSubscriptions,
  noSubscriptions,
} from '#services/finance/subscriptions/fold-subscriptions'
import type { RetentionMonth } from '#services/finance/subscriptions/retention'
import type { SubscriptionChange } from '#services/finance/subscriptions/subscription-change'
import { arbitraryHistoryOf } from '../../support/data/arbitrary-history.ts'
import {
  arbitraryOrderedSubscriptions,
  arbitrarySubscriptions,
  termsWithMrr,
} from '../../support/data/arbitrary-subscriptions.ts'
import { reportsOf, subscriptionChanges, utcDates } from '../../support/data/finance.ts'
import { month } from '../../support/data/finance-values.ts'

type Events = readonly RecordedEvent<BillingEvent>[]

const first = '2026-01'
const last = '2029-12'
const months = monthsBetween(month(first), month(last))

/** A subscription as a reader of the log sees it on one day. */
interface Seen {
  readonly customer: string
  readonly status: string
  readonly terms: SubscriptionTerms
  readonly deductions: Deductions
}

/**
 * The subscriptions on a day, read from the start of the log: an event counts if neither it nor an
 * earlier event of the subscription is of a later day.
 */
function seenOn(day: string, events: Events): readonly Seen[] {
  const seen = new Map<string, Seen | 'ended'>()
  const later = new Set<string>()
  for (const { stream, metadata, ...event } of events) {
    if (!('subscriptionId' in event.data) || event.data.subscriptionId === null) continue
    const id = event.data.subscriptionId
    const { occurredAt } = metadata
    const effectiveAt = event.type === 'PlanChanged' ? event.data.effectiveAt : occurredAt
    if (occurredAt.slice(0, 10) > day || effectiveAt.slice(0, 10) > day) later.add(id)
    if (later.has(id)) continue
    const customer = streamOwner(stream)
    if (event.type === 'SubscriptionStarted' && !seen.has(id))
      seen.set(id, {
        customer,
        status: event.data.status,
        terms: event.data,
        deductions: noDeductions,
      })
    const known = seen.get(id)
    if (known === undefined || known === 'ended') continue
    if (event.type === 'SubscriptionStatusChanged')
      seen.set(id, { ...known, status: event.data.to })
    if (event.type === 'SubscriptionResumed') seen.set(id, { ...known, status: event.data.status })
    if (event.type === 'SubscriptionPaused') seen.set(id, { ...known, status: 'paused' })
    if (event.type === 'PlanChanged') seen.set(id, { ...known, terms: event.data.to })
    if (event.type === 'RecurringDeductionsChanged')
      seen.set(id, { ...known, deductions: event.data })
    if (event.type === 'SubscriptionEnded') seen.set(id, 'ended')
  }
  return [...seen.values()].filter((each) => each !== 'ended')
}

function naiveMrr({ status, terms, deductions }: Seen): number {
  if (status !== 'active' && status !== 'past_due') return 0
  const { price, quantity, interval, intervalCount } = terms
  const found = termsWithMrr.find(
    ([each]) =>
      each.price.amount === price.amount &&
      each.price.currency === price.currency &&
      each.quantity === quantity &&
      each.interval === interval &&
      each.intervalCount === intervalCount,
  )
  if (found === undefined) throw new Error('The test does not know these terms')
  const { discounts, includedTax } = deductions
  if (discounts.length === 0 && includedTax === 0) return found[1]
  let billed = price.amount * quantity
  for (const each of discounts)
    billed -=
      each.kind === 'amount'
        ? Math.min(billed, each.amount)
        : Math.round((billed * each.millionths) / 1_000_000)
  billed -= Math.round((billed * includedTax) / (1_000_000 + includedTax))
  const perYear = { day: 365, week: 52, month: 12, year: 1 }[interval]
  return Math.round((billed * perYear) / (12 * intervalCount))
}

function check(property: (events: Events) => void) {
  fc.assert(fc.property(arbitrarySubscriptions, property))
}

const upTo = (day: string, changes: readonly SubscriptionChange[]) =>
  changes.filter(({ date }) => date <= day)

describe('after any history of subscriptions', () => {
  it('opening plus movement is closing, and closing is the next opening', () => {
    check((events) => {
      const { mrr } = reportsOf(subscriptionChanges(events), first, last)
      const closings = new Map<string, number>()
      for (const { currency, opening, closing, ...row } of mrr) {
        const { new: gained, expansion, reactivation, contraction, churn } = row
        const isRight =
          opening === (closings.get(currency) ?? 0) &&
          opening + gained + expansion + contraction + churn + reactivation === closing &&
          Math.min(gained, expansion, reactivation) >= 0 &&
          Math.max(contraction, churn) <= 0
        expect(isRight ? null : row).toBeNull()
        closings.set(currency, closing)
      }
    })
  })

  it('closing is the sum over the live subscriptions of the last day', () => {
    check((events) => {
      const { mrr } = reportsOf(subscriptionChanges(events), first, last)
      const live = new Map(months.map((each) => [each, seenOn(lastDayOf(each), events)]))
      const expected = mrr.map(({ month: each, currency }) =>
        sum(
          (live.get(each) ?? [])
            .filter(({ terms }) => terms.price.currency === currency)
            .map(naiveMrr),
        ),
      )
      expect(mrr.map(({ closing }) => closing)).toEqual(expected)
    })
  })

  it('the subscriptions of a month end are those of its last day', () => {
    check((events) => {
      const { subscriptions } = reportsOf(subscriptionChanges(events), first, last)
      const expected = months.map((each) => {
        const seen = seenOn(lastDayOf(each), events)
        const count = (status: string) => seen.filter((one) => one.status === status).length
        return [count('active'), count('trialing'), count('paused'), count('past_due')]
      })
      expect(
        subscriptions.map((row) => [row.active, row.trialing, row.paused, row.pastDue]),
      ).toEqual(expected)
    })
  })

  it('retention is between 0 and 1', () => {
    check((events) => {
      const { retention } = reportsOf(subscriptionChanges(events), first, last)
      const wrong = retention.filter(
        ({ customers, retained, retention: share }) =>
          retained < 0 ||
          retained > customers ||
          Math.abs(Number(share) - retained / customers) > 0.00005,
      )
      expect(wrong).toEqual([])
    })
  })

  it('the cohorts have every customer with MRR once, if the log is in the order of time', () => {
    fc.assert(
      fc.property(arbitraryOrderedSubscriptions, (events) => {
        const changes = subscriptionChanges(events)
        const { retention } = reportsOf(changes, first, last)
        const sizes = retention.filter(({ age }) => age === 0).map(({ customers }) => customers)
        // A customer has MRR at the end of a day: a start and an end on one day are no MRR.
        const days = [...new Set(changes.map(({ date }) => date))]
        const ever = new Set(days.flatMap((day) => [...payingOn(day, events)]))
        expect(sum(sizes)).toBe(ever.size)
        expect(months.map((each) => sum(retainedIn(each, retention)))).toEqual(
          months.map((each) => payingOn(lastDayOf(each), events).size),
        )
      }),
    )
  })

  it('the changes up to an earlier event are those of the log up to that event', () => {
    fc.assert(
      fc.property(arbitrarySubscriptions, fc.nat(40), (events, known) => {
        const earlier = subscriptionChanges(events.slice(0, known))
        expect(subscriptionChanges(events).slice(0, earlier.length)).toEqual(earlier)
      }),
    )
  })

  it('a month does not depend on the changes after it', () => {
    fc.assert(
      fc.property(arbitrarySubscriptions, fc.constantFrom(...months), (events, to) => {
        const changes = subscriptionChanges(events)
        const whole = reportsOf(changes, first, last)
        const cut = reportsOf(upTo(lastDayOf(to), changes), first, to)
        const untilThen = <Row extends { readonly month: Month }>(rows: readonly Row[]) =>
          rows.filter((row) => row.month <= to)
        expect(cut.mrr).toEqual(untilThen(whole.mrr))
        expect(cut.subscriptions).toEqual(untilThen(whole.subscriptions))
      }),
    )
  })

  it('the order of the events of different customers does not matter', () => {
    check((events) => {
      const byCustomer = [...events].sort((a, b) =>
        a.stream < b.stream ? -1 : Number(a.stream > b.stream),
      )
      expect(reportsOf(subscriptionChanges(byCustomer), first, last)).toEqual(
        reportsOf(subscriptionChanges(events), first, last),
      )
    })
  })

  it('a closed month keeps its rows, and the balance is the same after the last adjustment', () => {
    fc.assert(
      fc.property(arbitrarySubscriptions, fc.nat(40), fc.nat(20), (events, known, closed) => {
        const state = noSubscriptions()
        const closing = parseMonth(months[closed] ?? first)
        const fold = (part: Events, closedThrough: Month | null) =>
          part.flatMap((event) => foldSubscriptions(state, event, utcDates(closedThrough)))
        const before = fold(events.slice(0, known), null)
        const after = fold(events.slice(known), closing)
        const to = closing ?? first
        const all = [...before, ...after]
        expect(reportsOf(all, first, to).mrr).toEqual(reportsOf(before, first, to).mrr)
        expect(after.every(({ date }) => date > lastDayOf(month(to)))).toBe(true)
        const end = (changes: readonly SubscriptionChange[]) =>
          reportsOf(changes, last, last).mrr.map(({ currency, closing: mrr }) => [currency, mrr])
        expect(end(all)).toEqual(end(subscriptionChanges(events)))
      }),
    )
  })
})

it('every billing event of any history can be folded', () => {
  const types = ['PlanChanged', 'SubscriptionPaused', 'SubscriptionEnded', 'PaymentFailed'] as const
  fc.assert(
    fc.property(arbitraryHistoryOf(types), (events) => {
      const billed = events.filter((event): event is RecordedEvent<BillingEvent> =>
        event.stream.startsWith('billing-'),
      )
      const { mrr } = reportsOf(subscriptionChanges(billed), first, last)
      expect(mrr.filter(({ closing }) => closing < 0)).toEqual([])
    }),
  )
})

/** The customers with MRR at the end of a day. */
function payingOn(day: string, events: Events): ReadonlySet<string> {
  const paying = seenOn(day, events).filter((each) => naiveMrr(each) > 0)
  return new Set(paying.map(({ customer }) => customer))
}

function retainedIn(of: Month, rows: readonly RetentionMonth[]): readonly number[] {
  return rows.filter((row) => row.month === of).map(({ retained }) => retained)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0)
}
