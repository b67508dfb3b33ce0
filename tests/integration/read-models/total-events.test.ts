import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { summaryTotals, type SummaryTotal } from '#contracts/admin/summary'
import { toMajorUnits } from '#contracts/currency'
import { eventMoney, type EventType } from '#contracts/event-labels'
import type { DomainEvent, RecordedEvent } from '#contracts/events/catalogue'
import { shownRefundStatus, type RefundOverride, type RefundStatus } from '#contracts/refund-status'
import { isLive, statusAfter } from '#contracts/subscription-status'
import { homeCurrency } from '#projections/shared/home-currency'
import { summary } from '#projections/users/queries/summary'
import { users } from '#projections/users/read-model'
import { totalEvents } from '#services/admin/history/total-events'
import { streamOwner } from '#services/foundation/stream-names'
import { arbitraryHistoryOf } from '../../support/data/arbitrary-history.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'

const db = sharedReadModelFixture()
const histories = arbitraryHistoryOf([...new Set(Object.values(totalEvents).flat())])

type Events = readonly RecordedEvent[]
type Of<Type extends DomainEvent['type']> = Extract<RecordedEvent, { type: Type }>

const ofType = <Type extends DomainEvent['type']>(events: Events, ...types: Type[]) =>
  events.filter((event): event is Of<Type> => (types as string[]).includes(event.type))

const usersWith = (events: Events, ...types: DomainEvent['type'][]) =>
  new Set(ofType(events, ...types).map(({ stream }) => streamOwner(stream)))

/** An invoice that the credit balance covers is no purchase. */
const payers = (events: Events) =>
  usersWith(
    ofType(events, 'PaymentSucceeded').filter(({ data }) => data.amounts.paid > 0),
    'PaymentSucceeded',
  )

const without = (all: ReadonlySet<string>, ...others: readonly ReadonlySet<string>[]) =>
  [...all].filter((id) => others.every((other) => !other.has(id))).length

/** The refunds of all users with their amounts and statuses. */
function refundsOf(events: Events) {
  const refunds = new Map<
    string,
    { minor: number; status: RefundStatus; override: RefundOverride | null }
  >()
  for (const event of ofType(
    events,
    'RefundRecorded',
    'RefundStatusChanged',
    'RefundStatusOverridden',
  )) {
    const key = `${event.stream} ${event.data.refundId}`
    const known = refunds.get(key)
    if (event.type === 'RefundRecorded') {
      const { amount, status } = event.data
      const minor = amount.currency === homeCurrency ? amount.amount : 0
      refunds.set(key, { minor, status, override: null })
    } else if (known && event.type === 'RefundStatusChanged')
      refunds.set(key, { ...known, status: event.data.to, override: null })
    else if (known && event.type === 'RefundStatusOverridden')
      refunds.set(key, { ...known, override: event.data.to })
  }
  return [...refunds.values()]
}

function revenueOf(events: Events): number {
  const paid = ofType(events, 'PaymentSucceeded')
    .filter(({ data }) => data.amounts.currency === homeCurrency)
    .reduce((sum, { data }) => sum + data.amounts.paid, 0)
  const returned = refundsOf(events)
    .filter(({ status }) => status === 'succeeded')
    .reduce((sum, { minor }) => sum + minor, 0)
  return toMajorUnits(paid - returned, homeCurrency)
}

function activePlansOf(events: Events, now: Date): number {
  const paidUntil = new Map<string, number>()
  const endedAt = new Map<string, number>()
  for (const event of ofType(events, 'PaymentSucceeded', 'PlanChanged', 'SubscriptionEnded')) {
    const plan =
      event.type === 'PaymentSucceeded'
        ? (event.data.subscriptionId ?? event.data.paymentId)
        : event.data.subscriptionId
    const key = `${event.stream} ${plan}`
    const before = paidUntil.get(key)
    if (event.type === 'PaymentSucceeded')
      paidUntil.set(key, Math.max(before ?? 0, Date.parse(event.data.periodEnd)))
    else if (event.type === 'SubscriptionEnded') endedAt.set(key, Date.parse(event.data.endedAt))
    else if (before !== undefined)
      paidUntil.set(key, Math.min(before, Date.parse(event.data.currentPeriodEnd)))
  }
  return [...paidUntil].filter(
    ([key, until]) => Math.min(until, endedAt.get(key) ?? until) > now.getTime(),
  ).length
}

function activeSubscriptionsOf(events: Events): number {
  const statuses = new Map<string, string>()
  const ended = new Set<string>()
  for (const event of ofType(
    events,
    'SubscriptionStarted',
    'SubscriptionStatusChanged',
    'SubscriptionPaused',
    'SubscriptionResumed',
    'SubscriptionEnded',
  )) {
    const key = `${event.stream} ${event.data.subscriptionId}`
    if (event.type === 'SubscriptionEnded') {
      ended.add(key)
      statuses.set(key, statusAfter(event.data.why))
    } else if (!ended.has(key)) {
      const { type, data } = event
      statuses.set(
        key,
        type === 'SubscriptionPaused'
          ? 'paused'
          : type === 'SubscriptionStatusChanged'
            ? data.to
            : data.status,
      )
    }
  }
  return [...statuses.values()].filter(isLive).length
}

/** Each total, computed from events alone and without the code of the read model. */
const totals: Readonly<Record<SummaryTotal, (events: Events, now: Date) => number>> = {
  totalUsers: (events) => usersWith(events, 'AccountOpened').size,
  activeUsers: (events) => {
    const isBlocked = new Map(
      ofType(events, 'AccountBlocked', 'AccountUnblocked').map(({ stream, type }) => [
        stream,
        type === 'AccountBlocked',
      ]),
    )
    const opened = new Set(ofType(events, 'AccountOpened').map(({ stream }) => stream))
    return [...opened].filter((stream) => isBlocked.get(stream) !== true).length
  },
  totalRevenue: revenueOf,
  activePlans: activePlansOf,
  activeSubscriptions: activeSubscriptionsOf,
  emailOnly: (events) =>
    without(
      usersWith(events, 'AccountOpened'),
      usersWith(events, 'CompanyProfileCompleted', 'EmailVerified'),
      payers(events),
    ),
  withCompany: (events) =>
    without(
      usersWith(events, 'CompanyProfileCompleted'),
      usersWith(events, 'EmailVerified'),
      payers(events),
    ),
  verified: (events) => without(usersWith(events, 'EmailVerified'), payers(events)),
  paying: (events) => payers(events).size,
  refunds: (events) =>
    // The card shows the number of all refunds and of those that succeeded.
    refundsOf(events).length * 1_000 +
    refundsOf(events).filter(
      ({ status, override }) => shownRefundStatus(status, override) === 'succeeded',
    ).length,
}

type Cards = Awaited<ReturnType<typeof summary>>

/** The sums of money on the cards, by currency, with the sign of their events. */
function shownMoney({ currency, totalRevenue, otherRevenue, refunds }: Cards) {
  return {
    totalRevenue: byCurrency({ currency, amount: totalRevenue }, ...otherRevenue),
    refunds: byCurrency(
      ...[{ currency, amount: refunds.totalAmount }, ...refunds.otherAmounts].map((each) => ({
        ...each,
        amount: 0 - each.amount,
      })),
    ),
  } satisfies Partial<Record<SummaryTotal, unknown>>
}

/** The sum of the amounts that the timeline shows at the events, by currency. */
function eventAmounts(events: Events) {
  return byCurrency(
    ...events.flatMap((event) => {
      const money = eventMoney<EventType>(event)
      return money === null
        ? []
        : [{ currency: money.currency, amount: toMajorUnits(money.amount, money.currency) }]
    }),
  )
}

/** The sums above zero and below zero, to the hundredth: the sums of decimals are not exact. */
function byCurrency(...amounts: readonly { readonly currency: string; readonly amount: number }[]) {
  const sums: Record<string, number> = {}
  for (const { currency, amount } of amounts) sums[currency] = (sums[currency] ?? 0) + amount
  return Object.fromEntries(
    Object.entries(sums)
      .map(([currency, sum]) => [currency, Math.round(sum * 100)] as const)
      .filter(([, sum]) => sum !== 0),
  )
}

function shownTotals(cards: Cards) {
  return {
    ...cards.usersByType,
    totalUsers: cards.totalUsers,
    activeUsers: cards.activeUsers,
    totalRevenue: cards.totalRevenue,
    activePlans: cards.activePlans,
    activeSubscriptions: cards.activeSubscriptions,
    refunds: cards.refunds.total * 1_000 + cards.refunds.succeeded,
  } satisfies Record<SummaryTotal, number>
}

const eventsOf = (history: Events, total: SummaryTotal) => ofType(history, ...totalEvents[total])

describe('each total of the dashboard', () => {
  it('is computed from the events that it opens', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.integer({ min: 0, max: 450 }), async (history, days) => {
        const now = new Date(Date.UTC(2026, 0, 1 + days, 12))
        await db.given(users, history)
        const cards = await summary(db.pool, now)
        const recomputed = Object.fromEntries(
          summaryTotals.map((total) => [total, totals[total](eventsOf(history, total), now)]),
        )
        expect(recomputed).toEqual(shownTotals(cards))
        for (const [total, money] of Object.entries(shownMoney(cards)))
          expect([total, eventAmounts(eventsOf(history, total as SummaryTotal))]).toEqual([
            total,
            money,
          ])
      }),
      { numRuns: 40 },
    )
  })

  it('needs every type of event that it opens', () => {
    const now = new Date('2026-06-01T12:00:00.000Z')
    const samples = fc.sample(histories, { numRuns: 100, seed: 1 })
    const unneeded = summaryTotals.flatMap((total) =>
      totalEvents[total]
        .filter((type) =>
          samples.every((history) => {
            const events = eventsOf(history, total)
            const fewer = events.filter((event) => event.type !== type)
            return totals[total](events, now) === totals[total](fewer, now)
          }),
        )
        .map((type) => `${total}: ${type}`),
    )
    expect(unneeded).toEqual([])
  })
})
