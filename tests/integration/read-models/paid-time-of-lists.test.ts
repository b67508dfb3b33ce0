import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { adminSubscriptionsQuery } from '#contracts/admin/active-subscriptions'
import { adminPaymentsQuery, type AdminPayment } from '#contracts/admin/payments'
import { adminUsersQuery } from '#contracts/admin/users'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { isLive } from '#contracts/subscription-status'
import { listPage } from '#projections/listing/list-page'
import { paymentsList } from '#projections/purchases/queries/list-payments'
import { subscriptionsList } from '#projections/purchases/queries/list-subscriptions'
import { paymentsOf } from '#projections/purchases/queries/payments'
import { purchases } from '#projections/purchases/read-model'
import { summary } from '#projections/users/queries/summary'
import { users } from '#projections/users/read-model'
import { arbitraryHistoryOf } from '../../support/data/arbitrary-history.ts'
import {
  accountOpened,
  billing,
  observed,
  paymentFailed,
  paymentSucceeded,
  subscriptionStarted,
} from '../../support/data/events.ts'
import { amountsOf } from '../../support/data/provider-invoice.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'
import { usersList } from '../../support/projections/users-list.ts'

const db = sharedReadModelFixture()
const everything = { pageSize: 100 }

async function given(history: readonly RecordedEvent[], batchSize: number): Promise<void> {
  await db.given(users, history, batchSize)
  await db.given(purchases, history, batchSize)
}

/** What every list says about the paid time of each plan, and about which plans are active. */
async function listsAt(now: Date) {
  const pageOfPayments = async (status: string) =>
    (
      await listPage(
        db.pool,
        paymentsList,
        adminPaymentsQuery.parse({ ...everything, status }),
        now,
      )
    ).items
  const { items: accounts } = await listPage(
    db.pool,
    usersList,
    adminUsersQuery.parse(everything),
    now,
  )
  const pages = await Promise.all(
    accounts.map(async ({ user_id }) => {
      const page = await paymentsOf(db.pool, user_id, now)
      return {
        subscriptions: page?.allSubscriptions.filter(({ status }) => status !== 'scheduled') ?? [],
        payments: page?.payments ?? [],
      }
    }),
  )
  return {
    accounts,
    payments: await pageOfPayments('all'),
    active: await pageOfPayments('active'),
    expired: await pageOfPayments('expired'),
    plans: (
      await listPage(db.pool, subscriptionsList, adminSubscriptionsQuery.parse(everything), now)
    ).items,
    subscriptions: pages.flatMap(({ subscriptions }) => subscriptions),
    customersPayments: pages.flatMap(({ payments }) => payments),
    summary: await summary(db.pool, now),
  }
}

type Lists = Awaited<ReturnType<typeof listsAt>>

const latest = (ends: readonly (string | null)[]) =>
  ends
    .filter((end) => end !== null)
    .sort()
    .at(-1) ?? null
const after = (now: Date) => (end: string | null) => end !== null && Date.parse(end) > now.getTime()
const idsOf = (payments: readonly AdminPayment[]) =>
  payments.map(({ payment_id }) => payment_id).sort()

function expectAgreement(lists: Lists, now: Date): void {
  const isActive = after(now)
  for (const { user_id, latest_expiration } of lists.accounts) {
    const own = lists.payments.filter((payment) => payment.user_id === user_id)
    expect(latest(own.map(({ expiration_date }) => expiration_date))).toEqual(latest_expiration)
  }
  const ends = lists.subscriptions.map(({ paid_until }) => paid_until)
  expect(latest(ends)).toEqual(latest(lists.accounts.map((user) => user.latest_expiration)))
  const count = ends.filter(isActive).length
  expect(lists.accounts.reduce((sum, { active_plans }) => sum + active_plans, 0)).toBe(count)
  expect(lists.summary.activePlans).toBe(count)
  expect(
    Object.fromEntries(lists.plans.map((plan) => [plan.subscription_id, plan.paid_until])),
  ).toEqual(
    Object.fromEntries(
      lists.subscriptions
        .filter(({ status }) => isLive(status))
        .map((plan) => [plan.subscription_id, plan.paid_until]),
    ),
  )
  const covering = lists.payments.filter(({ expiration_date }) => expiration_date !== null)
  const [active, expired] = [true, false].map((wanted) =>
    covering.filter(({ expiration_date }) => isActive(expiration_date) === wanted),
  )
  expect(idsOf(lists.active)).toEqual(idsOf(active ?? []))
  expect(idsOf(lists.expired)).toEqual(idsOf(expired ?? []))
  expect(
    lists.customersPayments
      .filter(({ plan_status }) => plan_status === 'active')
      .map(({ payment_id }) => payment_id)
      .sort(),
  ).toEqual(idsOf(active ?? []))
}

const [march, april, may, nextMarch] = [
  '2026-03-03T09:12:00.000Z',
  '2026-04-03T09:12:00.000Z',
  '2026-05-03T09:12:00.000Z',
  '2027-03-03T09:12:00.000Z',
] as const
const changedAt = '2026-03-13T09:12:00.000Z'
const monthAfterChange = '2026-04-13T09:12:00.000Z'
const yearAfterChange = '2027-03-13T09:12:00.000Z'
const dana = accountOpened('usr_1', 'dana@birchwooddental.example')
const started = subscriptionStarted('usr_1')
const paid = paymentSucceeded('usr_1')
const subscriptionId = 'subscription_1'
const renewed = billing('usr_1', {
  type: 'SubscriptionRenewed',
  data: { subscriptionId, currentPeriodStart: april, currentPeriodEnd: may },
})
const renewalFailed = paymentFailed('usr_1', { paymentId: 'payment_2' })
const pastDue = billing('usr_1', {
  type: 'SubscriptionStatusChanged',
  data: { subscriptionId, from: 'active', to: 'past_due', ...observed },
})
const activeAgain = billing('usr_1', {
  type: 'SubscriptionStatusChanged',
  data: { subscriptionId, from: 'past_due', to: 'active', ...observed },
})
const writtenOff = (how: 'voided' | 'uncollectible') =>
  billing('usr_1', {
    type: 'InvoiceWrittenOff',
    data: { ...samplePayloads.InvoiceWrittenOff, paymentId: 'payment_2', how },
  })
const renewalPaid = paymentSucceeded('usr_1', {
  paymentId: 'payment_2',
  periodStart: april,
  periodEnd: may,
})
const changedTo = (interval: 'month' | 'year', currentPeriodEnd: string) => {
  const { from, to } = samplePayloads.PlanChanged
  return billing('usr_1', {
    type: 'PlanChanged',
    data: {
      ...samplePayloads.PlanChanged,
      from,
      to: { ...to, interval },
      effectiveAt: changedAt,
      currentPeriodStart: changedAt,
      currentPeriodEnd,
    },
  })
}
const changePaid = (periodEnd: string, total = 3900) =>
  paymentSucceeded('usr_1', {
    paymentId: 'payment_2',
    periodStart: changedAt,
    periodEnd,
    amounts: { ...amountsOf(Math.max(total, 0)), total, subtotal: total },
  })
const ofYear = paymentSucceeded('usr_1', { periodEnd: nextMarch })
const cancellation = billing('usr_1', {
  type: 'CancellationScheduled',
  data: { subscriptionId, effectiveAt: april, ...observed },
})
const ended = (endedAt: string) =>
  billing('usr_1', {
    type: 'SubscriptionEnded',
    data: { subscriptionId, why: 'canceled', endedAt },
  })
const refunded = billing('usr_1', {
  type: 'RefundRecorded',
  data: {
    ...samplePayloads.RefundRecorded,
    subscriptionId,
    amount: { amount: 3900, currency: 'usd' },
    kind: 'full',
    status: 'succeeded',
  },
})
const paused = billing('usr_1', {
  type: 'SubscriptionPaused',
  data: samplePayloads.SubscriptionPaused,
})
const trial = subscriptionStarted('usr_1', { status: 'trialing' })
const free = paymentSucceeded('usr_1', { amounts: amountsOf(0), paidBy: [] })

const cases: readonly (readonly [string, readonly RecordedEvent[], string | null])[] = [
  ['a first payment', [started, paid], april],
  ['no payment', [started], null],
  ['a paid renewal', [started, paid, renewed, renewalPaid], may],
  ['a failed renewal', [started, paid, renewed, pastDue, renewalFailed], april],
  [
    'a renewal that failed and was voided',
    [started, paid, renewed, pastDue, renewalFailed, writtenOff('voided'), activeAgain],
    april,
  ],
  [
    'a renewal that was marked uncollectible',
    [started, paid, renewed, pastDue, renewalFailed, writtenOff('uncollectible')],
    april,
  ],
  [
    'an uncollectible renewal that was paid after all',
    [started, paid, renewed, renewalFailed, writtenOff('uncollectible'), renewalPaid],
    may,
  ],
  ['an unpaid change to a year', [started, paid, changedTo('year', yearAfterChange)], april],
  [
    'a paid change to a year',
    [started, paid, changedTo('year', yearAfterChange), changePaid(yearAfterChange)],
    yearAfterChange,
  ],
  [
    'a change to a month that a credit paid',
    [started, ofYear, changedTo('month', monthAfterChange), changePaid(monthAfterChange, -40_000)],
    monthAfterChange,
  ],
  [
    'a change to a month before the invoice of the change',
    [started, ofYear, changedTo('month', monthAfterChange)],
    monthAfterChange,
  ],
  [
    'a change to a month that is known before the payment of the year',
    [started, changedTo('month', monthAfterChange), ofYear],
    monthAfterChange,
  ],
  ['a full refund', [started, paid, refunded], april],
  ['a scheduled cancellation', [started, paid, cancellation], april],
  ['an end at the end of the period', [started, paid, cancellation, ended(april)], april],
  ['an end within the period', [started, paid, ended(changedAt)], changedAt],
  ['a payment that is recorded after the end', [started, ended(changedAt), paid], changedAt],
  ['a pause over a renewal', [started, paid, paused, renewed], april],
  ['the start of a trial', [trial, free], april],
  ['an invoice of nothing', [started, free], april],
]

const days = [march, changedAt, april, '2026-04-20T00:00:00.000Z', may]

describe('all lists show the same paid time', () => {
  it.each(cases)('after %s', async (_, events, end) => {
    await given([dana, ...events], 1)
    for (const day of days) {
      const now = new Date(day)
      const lists = await listsAt(now)
      expect(lists.subscriptions.map(({ paid_until }) => paid_until)).toEqual([end])
      expectAgreement(lists, now)
    }
  })

  it('after any history', async () => {
    const histories = arbitraryHistoryOf([
      'PaymentSucceeded',
      'PlanChanged',
      'SubscriptionRenewed',
      'SubscriptionEnded',
      'SubscriptionStatusChanged',
      'InvoiceWrittenOff',
      'RefundRecorded',
    ])
    // A payment without its subscription has no row of a subscription.
    const complete = histories.map((history) => {
      const known = new Set<string>()
      return history.filter((event) => {
        if (event.type === 'SubscriptionStarted') known.add(event.data.subscriptionId)
        return event.type !== 'PaymentSucceeded' || known.has(event.data.subscriptionId ?? '')
      })
    })
    await fc.assert(
      fc.asyncProperty(
        complete,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 0, max: 450 }),
        async (history, batchSize, day) => {
          const now = new Date(Date.UTC(2026, 0, 1 + day, 12))
          await given(history, batchSize)
          expectAgreement(await listsAt(now), now)
        },
      ),
      { numRuns: 24 },
    )
  })
})
