import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  adminSubscriptionsQuery,
  adminSubscriptionsResponse,
  subscriptionSortKeys,
} from '#contracts/admin/active-subscriptions'
import {
  adminPaymentsQuery,
  adminPaymentsResponse,
  paymentSortKeys,
} from '#contracts/admin/payments'
import { adminRefundsQuery, adminRefundsResponse, refundSortKeys } from '#contracts/admin/refunds'
import { adminUsersQuery } from '#contracts/admin/users'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { intervalCategory } from '#contracts/interval-category'
import { sourcesOf, walkAndCount } from '#projections/listing/find-rows'
import type { ListQuery } from '#contracts/paging'
import type { List } from '#projections/listing/list'
import { listPage } from '#projections/listing/list-page'
import { selectionOf } from '#projections/listing/selection'
import { countLists } from '#projections/purchases/queries/count-lists'
import { paymentsList } from '#projections/purchases/queries/list-payments'
import { refundsList } from '#projections/purchases/queries/list-refunds'
import { subscriptionsList } from '#projections/purchases/queries/list-subscriptions'
import { purchases } from '#projections/purchases/read-model'
import { summary } from '#projections/users/queries/summary'
import { users } from '#projections/users/read-model'
import { arbitraryHistory } from '../../support/data/arbitrary-history.ts'
import {
  accountOpened,
  billing,
  observed,
  paymentFailed,
  paymentSucceeded,
  profileCompleted,
  recorded,
  subscriptionStarted,
} from '../../support/data/events.ts'
import { amountsOf } from '../../support/data/provider-invoice.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'
import { usersList } from '../../support/projections/users-list.ts'

const now = new Date('2026-03-20T12:00:00.000Z')
const db = sharedReadModelFixture()

const payments = async (query: object = {}, at = now) =>
  adminPaymentsResponse.parse(
    await listPage(db.pool, paymentsList, adminPaymentsQuery.parse(query), at),
  )
const refunds = async (query: object = {}) =>
  adminRefundsResponse.parse(
    await listPage(db.pool, refundsList, adminRefundsQuery.parse(query), now),
  )
const subscriptions = async (query: object = {}) =>
  adminSubscriptionsResponse.parse(
    await listPage(db.pool, subscriptionsList, adminSubscriptionsQuery.parse(query), now),
  )
/** The first rows as a search that matches a large part of a large table finds them. */
const walked = async <Query extends ListQuery>(list: List<Query, unknown>, query: Query) =>
  walkAndCount(
    db.pool,
    list,
    query,
    now,
    { limit: 100, offset: 0 },
    sourcesOf(await selectionOf(db.pool, list, query)),
  )
const wholly = (keys: readonly string[]) => ({ keys, total: keys.length, totalIsExact: true })
const idsOf = (page: { items: readonly { payment_id: string }[] }) =>
  page.items.map(({ payment_id }) => payment_id)

const dana = accountOpened('usr_1', 'dana@birchwooddental.example')
const of = (type: 'AccountBlocked' | 'AccountUnblocked' | 'PersonalDataErased') =>
  recorded('account-usr_1', { type, data: {} })
const secondary = (type: 'SecondaryEmailSet', email: string) =>
  recorded('account-usr_1', { type, data: { email, claim: 1 } })
const refunded = (data: object = {}) =>
  billing('usr_1', {
    type: 'RefundRecorded',
    data: { ...samplePayloads.RefundRecorded, subscriptionId: 'subscription_1', ...data },
  })
const refundBecame = (to: 'succeeded' | 'failed' | 'pending') =>
  billing('usr_1', {
    type: 'RefundStatusChanged',
    data: { ...samplePayloads.RefundStatusChanged, to },
  })
const overridden = billing('usr_1', {
  type: 'RefundStatusOverridden',
  data: samplePayloads.RefundStatusOverridden,
})
const disputed = (kind: 'inquiry' | 'chargeback') =>
  billing('usr_1', { type: 'DisputeOpened', data: { ...samplePayloads.DisputeOpened, kind } })
const ended = (endedAt: string) =>
  billing('usr_1', {
    type: 'SubscriptionEnded',
    data: { subscriptionId: 'subscription_1', why: 'canceled', endedAt },
  })

/** Each event is a batch, so that every event meets stored rows. */
const given = (...events: RecordedEvent[]) => db.given(purchases, [dana, ...events], 1)

describe('the list of payments', () => {
  it('has a row per paid invoice, with customer, address, plan and expiration', async () => {
    await given(
      profileCompleted('usr_1'),
      subscriptionStarted('usr_1'),
      paymentFailed('usr_1'),
      paymentSucceeded('usr_1', {
        addressLine1: '418 Orchard Lane',
        city: 'Duluth',
        state: 'MN',
        country: 'US',
        amounts: { ...amountsOf(3900), subtotal: 4333, discount: 433 },
      }),
    )
    expect((await payments()).items).toEqual([
      {
        payment_id: 'payment_1',
        user_id: 'usr_1',
        created_at: '2026-03-03T09:12:00.000Z',
        customer_name: 'Dana Whitlock',
        customer_email: 'dana@birchwooddental.example',
        support_email: 'help@birchwooddental.example',
        support_phone: '(218) 555-0147',
        billing_address_line1: '418 Orchard Lane',
        billing_city: 'Duluth',
        billing_state: 'MN',
        billing_country: 'US',
        currency: 'usd',
        amount_total: 39,
        amount_subtotal: 43.33,
        revenue: 39,
        payment_status: 'paid',
        plan_id: 'monthly',
        plan_name: 'Monthly Plan',
        payment_method: 'Visa ending 4242',
        card_expiry: '08/28',
        expiration_date: '2026-04-03T09:12:00.000Z',
        user_blocked: false,
        failure: null,
      },
    ])
  })

  it('has a negative row per refund until the refund fails, which is revenue once it succeeded', async () => {
    const before = [subscriptionStarted('usr_1'), paymentSucceeded('usr_1'), refunded()]
    await given(...before)
    const refund = { payment_id: 'refund_1', amount_total: -10, expiration_date: null }
    expect((await payments({ search: 'refund' })).items).toMatchObject([
      { ...refund, payment_status: 'pending', revenue: 0, plan_name: 'Refund: Monthly Plan' },
    ])
    await given(...before, refundBecame('succeeded'))
    expect((await payments({ search: 'Refund: M' })).items).toMatchObject([
      { ...refund, payment_status: 'succeeded', revenue: -10 },
    ])
    await given(...before, refundBecame('failed'))
    expect(idsOf(await payments())).toEqual(['payment_1'])
    expect(await countLists(db.pool)).toMatchObject({ payments: 1 })
    await given(...before, refundBecame('failed'), refundBecame('pending'))
    expect(await payments()).toMatchObject({ total: 2 })
  })

  it('has a row per credit note with a credit, until the note is voided', async () => {
    const issued = billing('usr_1', {
      type: 'CreditNoteIssued',
      data: samplePayloads.CreditNoteIssued,
    })
    await given(issued)
    expect((await payments()).items).toMatchObject([
      { amount_total: -5, revenue: 0, plan_name: 'Credit note: Monthly Plan' },
    ])
    await given(
      issued,
      billing('usr_1', { type: 'CreditNoteVoided', data: samplePayloads.CreditNoteVoided }),
    )
    expect(await payments()).toMatchObject({ items: [], total: 0 })
  })

  const failed = (attempt: number, day: number, nextAttemptAt: string | null = null) =>
    paymentFailed(
      'usr_1',
      { attempt, nextAttemptAt },
      { occurredAt: `2026-03-0${day}T09:12:00.000Z` },
    )
  const failures = async () =>
    (await payments({ status: 'failed' })).items.map(({ payment_id, failure }) => [
      payment_id,
      failure?.outcome,
      failure?.next_attempt_at,
    ])
  const writtenOff = (how: 'voided' | 'uncollectible') =>
    billing('usr_1', {
      type: 'InvoiceWrittenOff',
      data: { ...samplePayloads.InvoiceWrittenOff, paymentId: 'payment_1', how },
    })

  it('has the failed attempts under Failed only, with the reason and the next attempt', async () => {
    const next = '2026-03-06T09:12:00.000Z'
    await given(
      subscriptionStarted('usr_1'),
      failed(1, 3, '2026-03-05T09:12:00.000Z'),
      failed(2, 5, next),
    )
    expect((await payments({ status: 'failed' })).items).toMatchObject([
      {
        payment_id: 'payment_1_attempt_2',
        created_at: '2026-03-05T09:12:00.000Z',
        amount_total: 39,
        revenue: 0,
        payment_status: 'failed',
        plan_name: 'Monthly Plan',
        payment_method: 'Visa ending 0341',
        expiration_date: null,
        failure: {
          attempt: 2,
          reason: 'Your card was declined.',
          outcome: 'open',
          next_attempt_at: next,
          recovered_at: null,
        },
      },
      { payment_id: 'payment_1_attempt_1', failure: { outcome: 'retried', next_attempt_at: null } },
    ])
    expect(await payments()).toMatchObject({ items: [], total: 0 })
    for (const status of ['active', 'expired'])
      expect(await payments({ status })).toMatchObject({ items: [], total: 0 })
    expect(await payments({ status: 'failed', search: 'monthly' })).toMatchObject({ total: 2 })
    expect(await payments({ status: 'failed', search: 'nobody' })).toMatchObject({ total: 0 })
    expect(await countLists(db.pool)).toMatchObject({ payments: 0, failedPayments: 2 })
  })

  it('keeps a failed attempt after the payment, after the end of the plan and after a write-off', async () => {
    const next = '2026-03-06T09:12:00.000Z'
    const before = [subscriptionStarted('usr_1'), failed(1, 3, next)]
    await given(...before, paymentSucceeded('usr_1', {}, { occurredAt: next }))
    expect((await payments({ status: 'failed' })).items).toMatchObject([
      { failure: { outcome: 'recovered', next_attempt_at: null, recovered_at: next } },
    ])
    expect(idsOf(await payments())).toEqual(['payment_1'])
    await given(...before, ended('2026-03-10T00:00:00.000Z'))
    expect(await failures()).toEqual([['payment_1_attempt_1', 'open', next]])
    expect(await payments({ status: 'expired' })).toMatchObject({ total: 0 })
    for (const how of ['voided', 'uncollectible'] as const) {
      await given(...before, writtenOff(how))
      expect(await failures()).toEqual([['payment_1_attempt_1', how, null]])
    }
    await given(...before, writtenOff('uncollectible'), paymentSucceeded('usr_1'))
    expect(await failures()).toEqual([['payment_1_attempt_1', 'recovered', null]])
  })

  it('shows a chargeback, and no inquiry, in the status of the payment', async () => {
    const paid = paymentSucceeded('usr_1')
    await given(paid, disputed('inquiry'))
    expect((await payments()).items).toMatchObject([{ payment_status: 'paid' }])
    await given(paid, disputed('chargeback'))
    expect((await payments()).items).toMatchObject([{ payment_status: 'disputed' }])
  })

  it('sorts amounts of several currencies by their value in major units', async () => {
    await given(
      ...(['jpy', 'usd', 'kwd'] as const).map((currency) =>
        paymentSucceeded('usr_1', { paymentId: currency, amounts: amountsOf(3900, currency) }),
      ),
      refunded(),
    )
    const query = { sort: 'amount_total', order: 'asc' }
    expect(idsOf(await payments(query))).toEqual(['refund_1', 'kwd', 'usd', 'jpy'])
  })

  it('is active until the period or the subscription ends; refunds are neither active nor expired', async () => {
    const before = [subscriptionStarted('usr_1'), paymentSucceeded('usr_1'), refunded()]
    await given(...before)
    expect(await payments({ status: 'active' })).toMatchObject({ total: 1, totalIsExact: true })
    expect(idsOf(await payments({ status: 'active' }))).toEqual(['payment_1'])
    expect(await payments({ status: 'expired' })).toMatchObject({ items: [], total: 0 })
    const later = new Date('2026-04-03T09:12:00.000Z')
    expect(idsOf(await payments({ status: 'expired' }, later))).toEqual(['payment_1'])
    await given(...before, ended('2026-03-20T12:00:00.000Z'))
    expect((await payments({ status: 'expired' })).items).toMatchObject([
      { payment_id: 'payment_1', expiration_date: '2026-03-20T12:00:00.000Z' },
    ])
    expect(await payments({ status: 'active', search: 'monthly' })).toMatchObject({ total: 0 })
  })

  it.each([0.5, 20, 28, 30, 31, 60, 92, 181, 184, 365, 366, 800])(
    'keeps a payment of %d days active until the last second of the period',
    async (days) => {
      const paidAt = Date.parse('2026-01-31T09:12:00.000Z')
      const end = paidAt + days * 86_400_000
      await given(
        paymentSucceeded(
          'usr_1',
          { periodEnd: new Date(end).toISOString() },
          { occurredAt: new Date(paidAt).toISOString() },
        ),
      )
      const listed = async (at: number) => [
        idsOf(await payments({ status: 'active' }, new Date(at))),
        idsOf(await payments({ status: 'expired' }, new Date(at))),
      ]
      expect(await listed(end - 1_000)).toEqual([['payment_1'], []])
      expect(await listed(end)).toEqual([[], ['payment_1']])
    },
  )

  it('shows the block of a user', async () => {
    await given(paymentSucceeded('usr_1'), of('AccountBlocked'))
    expect((await payments()).items).toMatchObject([{ user_blocked: true }])
    await given(paymentSucceeded('usr_1'), of('AccountBlocked'), of('AccountUnblocked'))
    expect((await payments()).items).toMatchObject([{ user_blocked: false }])
  })
})

describe('a search in a list', () => {
  const all = [subscriptionStarted('usr_1'), paymentSucceeded('usr_1'), refunded()]
  const totals = async (search: string) => [
    (await payments({ search })).total,
    (await refunds({ search })).total,
    (await subscriptions({ search })).total,
  ]

  it('finds a changed address, and not the address before', async () => {
    await given(...all, secondary('SecondaryEmailSet', 'books@cedar.example'))
    expect(await totals('books@cedar')).toEqual([2, 1, 1])
    await given(
      ...all,
      secondary('SecondaryEmailSet', 'books@cedar.example'),
      secondary('SecondaryEmailSet', 'office@elm.example'),
    )
    expect(await totals('books@cedar')).toEqual([0, 0, 0])
    expect(await totals('OFFICE@elm')).toEqual([2, 1, 1])
  })

  it('does not find an erased address or company', async () => {
    await given(profileCompleted('usr_1'), ...all)
    expect(await totals('birchwooddental')).toEqual([2, 1, 1])
    expect(await totals('Birchwood Dental Group')).toEqual([0, 0, 1])
    await given(profileCompleted('usr_1'), ...all, of('PersonalDataErased'))
    expect(await totals('birchwood')).toEqual([0, 0, 0])
    expect((await payments()).items).toMatchObject([
      { customer_email: '[erased]', customer_name: null, support_phone: null },
      { customer_email: '[erased]' },
    ])
  })

  it('finds plan names, and in refunds the reason', async () => {
    await given(...all)
    expect(await totals('monthly plan')).toEqual([2, 1, 1])
    expect(await totals('mo')).toEqual([1, 1, 1])
    expect(await totals('requested_by')).toEqual([0, 1, 0])
    // As the screen shows the code.
    expect(await totals('Requested by customer')).toEqual([0, 1, 0])
  })
})

describe('the list of refunds', () => {
  it('shows an override with its reason, until the provider reports another status', async () => {
    await given(refunded(), refundBecame('succeeded'), overridden)
    expect((await refunds({ status: 'failed' })).items).toMatchObject([
      {
        refund_id: 'refund_1',
        user_email: 'dana@birchwooddental.example',
        amount: 10,
        original_payment_amount: 39,
        status: 'failed',
        provider_status: 'succeeded',
        is_overridden: true,
        override_reason: 'The customer received no money.',
        reason: 'requested_by_customer',
        refund_type: 'partial',
      },
    ])
    expect(await refunds({ status: 'succeeded' })).toMatchObject({ items: [], total: 0 })
    await given(refunded(), overridden, refundBecame('succeeded'))
    expect((await refunds()).items).toMatchObject([
      { status: 'succeeded', is_overridden: false, override_reason: null },
    ])
  })

  it('shows the block of a user', async () => {
    await given(refunded(), of('AccountBlocked'))
    expect((await refunds()).items).toMatchObject([{ user_blocked: true }])
  })

  it('has nothing that a person wrote after an erasure', async () => {
    await given(refunded(), overridden)
    expect((await refunds()).items).toMatchObject([{ memo: 'With our apologies to Dana.' }])
    await given(refunded(), overridden, of('PersonalDataErased'))
    expect((await refunds()).items).toMatchObject([
      { override_reason: '[erased]', memo: '[erased]' },
    ])
  })
})

describe('the list of active plans', () => {
  it('has live subscriptions, with the links to the portal', async () => {
    await given(profileCompleted('usr_1'), subscriptionStarted('usr_1'))
    expect((await subscriptions({ interval: 'monthly', status: 'active' })).items).toEqual([
      {
        subscription_id: 'subscription_1',
        stripe_subscription_id: 'sub_1',
        user_id: 'usr_1',
        user_name: 'Dana Whitlock',
        user_email: 'dana@birchwooddental.example',
        company_name: 'Birchwood Dental Group',
        plan_id: 'monthly',
        plan_name: 'Monthly Plan',
        interval: 'month',
        price: 39,
        currency: 'usd',
        status: 'active',
        created_at: '2026-03-03T09:12:00.000Z',
        current_period_start: '2026-03-03T09:12:00.000Z',
        current_period_end: '2026-04-03T09:12:00.000Z',
        paid_until: null,
        cancel_at: null,
        manage_url: '/api/portal/subscription_1?action=manage',
        cancellation_url: '/api/portal/subscription_1?action=cancel',
        user_blocked: false,
      },
    ])
    for (const query of [{ interval: 'annual' }, { status: 'trialing' }, { status: 'paused' }])
      expect(await subscriptions(query)).toMatchObject({ items: [], total: 0 })
    await given(subscriptionStarted('usr_1'), ended('2026-03-10T00:00:00.000Z'))
    expect(await subscriptions()).toMatchObject({ items: [], total: 0 })
  })

  it.each(['past_due', 'unpaid'] as const)(
    'has a subscription that is %s, which the filter Past Due finds',
    async (to) => {
      await given(
        subscriptionStarted('usr_1'),
        billing('usr_1', {
          type: 'SubscriptionStatusChanged',
          data: { subscriptionId: 'subscription_1', from: 'active', to, ...observed },
        }),
        of('AccountBlocked'),
      )
      expect((await subscriptions({ status: 'past_due' })).items).toMatchObject([
        { status: to, user_blocked: true },
      ])
      expect(await subscriptions({ status: 'active' })).toMatchObject({ total: 0 })
      expect(await countLists(db.pool)).toMatchObject({ pastDueSubscriptions: 1 })
    },
  )

  it('has a paused subscription, which the filter Paused finds', async () => {
    const { subscriptionId: _, ...pause } = samplePayloads.SubscriptionPaused
    await given(
      subscriptionStarted('usr_1'),
      billing('usr_1', {
        type: 'SubscriptionPaused',
        data: { ...pause, ...observed, subscriptionId: 'subscription_1' },
      }),
    )
    expect((await subscriptions({ status: 'paused' })).items).toMatchObject([{ status: 'paused' }])
    expect(await subscriptions({ status: 'active' })).toMatchObject({ total: 0 })
  })
})

describe('a list of some days', () => {
  const day = fc
    .integer({ min: 0, max: 420 })
    .map((days) => new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10))
  const asked = fc.record({
    history: arbitraryHistory,
    days: fc.record({ from: day, to: day }, { requiredKeys: [] }),
    search: fc.constantFrom('', 'monthly', 'user1'),
    order: fc.constantFrom('asc', 'desc'),
  })
  const isWithin = (days: { from?: string; to?: string }) => (row: { created_at: string }) =>
    row.created_at.slice(0, 10) >= (days.from ?? '') &&
    row.created_at.slice(0, 10) <= (days.to ?? '9')

  it('has the rows of these days, in every order, and their number (payments)', async () => {
    await fc.assert(
      fc.asyncProperty(
        asked,
        fc.constantFrom(...paymentSortKeys),
        fc.constantFrom('all', 'active', 'expired', 'failed'),
        async ({ history, days, ...query }, sort, status) => {
          await db.given(purchases, history, 7)
          const given = { ...query, sort, status, pageSize: 100 }
          const wanted = (await payments(given)).items.filter(isWithin(days))
          const page = await payments({ ...given, ...days })
          expect(idsOf(page)).toEqual(idsOf({ items: wanted }))
          expect(page).toMatchObject({ total: wanted.length, totalIsExact: true })
          const parsed = adminPaymentsQuery.parse({ ...given, ...days })
          expect(await walked(paymentsList, parsed)).toEqual(wholly(idsOf(page)))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('has the rows of these days, in every order, and their number (refunds)', async () => {
    await fc.assert(
      fc.asyncProperty(
        asked,
        fc.constantFrom(...refundSortKeys),
        async ({ history, days, ...query }, sort) => {
          await db.given(purchases, history, 7)
          const given = { ...query, sort, pageSize: 100 }
          const wanted = (await refunds(given)).items.filter(isWithin(days))
          const page = await refunds({ ...given, ...days })
          expect(page).toMatchObject({ items: wanted, total: wanted.length, totalIsExact: true })
          const parsed = adminRefundsQuery.parse({ ...given, ...days })
          expect(await walked(refundsList, parsed)).toEqual(
            wholly(wanted.map(({ refund_id }) => refund_id)),
          )
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('after any history', () => {
  it('the cards of the dashboard equal the rows of the lists', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryHistory,
        fc.integer({ min: 0, max: 450 }),
        async (history, days) => {
          const at = new Date(Date.UTC(2026, 0, 1 + days, 12))
          await db.given(users, history, 7)
          await db.given(purchases, history, 7)
          const cards = await summary(db.pool, at)
          const paid = await payments({ pageSize: 100 }, at)
          const returned = (await refunds({ pageSize: 100 })).items
          const people = await listPage(
            db.pool,
            usersList,
            adminUsersQuery.parse({ pageSize: 100 }),
            at,
          )
          const revenue = paid.items
            .filter(({ currency }) => currency === 'usd')
            .reduce((sum, row) => sum + row.revenue, 0)
          expect(cards.totalRevenue).toBeCloseTo(revenue, 6)
          expect(await countLists(db.pool)).toEqual({
            payments: paid.items.length,
            failedPayments: (await payments({ status: 'failed' }, at)).total,
            pastDueSubscriptions: (await subscriptions({ status: 'past_due' })).total,
          })
          expect(cards.lostDisputes).toBe(
            people.items.reduce((sum, { lost_disputes }) => sum + lost_disputes, 0),
          )
          expect(cards).toMatchObject({
            activeSubscriptions: (await subscriptions()).total,
            activePlans: people.items.reduce((sum, { active_plans }) => sum + active_plans, 0),
            refunds: {
              total: returned.length,
              succeeded: returned.filter(({ status }) => status === 'succeeded').length,
              full: returned.filter(({ refund_type }) => refund_type === 'full').length,
              partial: returned.filter(({ refund_type }) => refund_type === 'partial').length,
              proration: returned.filter(({ refund_type }) => refund_type === 'proration').length,
            },
          })
        },
      ),
      { numRuns: 50 },
    )
  })

  it('the totals of active and expired payments are those of their rows', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryHistory,
        fc.integer({ min: 0, max: 450 }),
        async (history, days) => {
          const at = new Date(Date.UTC(2026, 0, 1 + days, 12))
          await db.given(purchases, history, 7)
          const everything = (await payments({ pageSize: 100 }, at)).items
          for (const status of ['active', 'expired'] as const) {
            const wanted = everything.filter(
              ({ expiration_date: end }) =>
                end !== null && Date.parse(end) > at.getTime() === (status === 'active'),
            )
            for (const search of ['', 'monthly', 'user1', 'nobody']) {
              const found = wanted.filter(
                (row) =>
                  `${row.plan_id} ${row.plan_name}`.toLowerCase().includes(search) ||
                  row.customer_email.includes(search),
              )
              const page = await payments({ status, search, pageSize: 100 }, at)
              expect(idsOf(page)).toEqual(idsOf({ items: found }))
              expect(page.total).toBe(found.length)
            }
          }
        },
      ),
      { numRuns: 30 },
    )
  })
})

interface Entry {
  readonly key: string
  /** The value of each sort key, then further values to sort by. */
  readonly sortedBy: Readonly<Record<string, readonly (string | number)[]>>
  readonly texts: readonly (string | null)[]
}

/** Sorts and searches in memory, by the rules of the lists. */
function expectedKeys(
  entries: readonly Entry[],
  { sort, order, search }: { sort: string; order: 'asc' | 'desc'; search: string },
): string[] {
  const term = search.toLowerCase()
  const matches = (text: string) => (term.length < 3 ? text.startsWith(term) : text.includes(term))
  return entries
    .filter(({ texts }) => texts.some((text) => matches((text ?? '').toLowerCase())))
    .map(({ key, sortedBy }) => ({ key, values: [...(sortedBy[sort] ?? []), key] }))
    .toSorted((a, b) => {
      const at = a.values.findIndex((value, index) => value !== b.values[index])
      const [x, y] = [a.values[at] ?? '', b.values[at] ?? '']
      return (x < y ? -1 : x > y ? 1 : 0) * (order === 'asc' ? 1 : -1)
    })
    .map(({ key }) => key)
}

describe('a page of a list equals its rows, filtered and sorted in memory', () => {
  const searches = ['', 'user1', 'monthly', 'refund', 'credit note', 'company', 'mo', 'u', 'annual']
  const asked = fc.record({
    history: arbitraryHistory,
    search: fc.constantFrom(...searches),
    order: fc.constantFrom('asc', 'desc'),
  })
  const thousandths = (amount: number) => Math.round(amount * 1000)

  it('(payments)', async () => {
    await fc.assert(
      fc.asyncProperty(
        asked,
        fc.constantFrom(...paymentSortKeys),
        async ({ history, ...query }, sort) => {
          await db.given(purchases, history, 7)
          const entries = (await payments({ pageSize: 100 })).items.map((row) => ({
            key: row.payment_id,
            sortedBy: {
              created_at: [Date.parse(row.created_at)],
              amount_total: [thousandths(row.amount_total), Date.parse(row.created_at)],
            },
            texts: [row.plan_id, row.plan_name, ...emailsIn(history, row.user_id)],
          }))
          const page = await payments({ ...query, sort, pageSize: 100 })
          const wanted = expectedKeys(entries, { ...query, sort })
          expect(idsOf(page)).toEqual(wanted)
          const parsed = adminPaymentsQuery.parse({ ...query, sort })
          expect(await walked(paymentsList, parsed)).toEqual(wholly(wanted))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('(refunds)', async () => {
    await fc.assert(
      fc.asyncProperty(
        asked,
        fc.constantFrom(...refundSortKeys),
        fc.constantFrom('all', 'succeeded', 'pending', 'failed'),
        async ({ history, ...query }, sort, status) => {
          await db.given(purchases, history, 7)
          const entries = (await refunds({ pageSize: 100 })).items
            .filter((row) => status === 'all' || row.status === status)
            .map((row) => ({
              key: row.refund_id,
              sortedBy: {
                created_at: [Date.parse(row.created_at)],
                amount: [thousandths(row.amount)],
                status: [row.status, Date.parse(row.created_at)],
              },
              texts: [row.plan_name, row.reason, ...emailsIn(history, row.user_id)],
            }))
          const page = await refunds({ ...query, sort, status, pageSize: 100 })
          const wanted = expectedKeys(entries, { ...query, sort })
          expect(page.items.map(({ refund_id }) => refund_id)).toEqual(wanted)
          const parsed = adminRefundsQuery.parse({ ...query, sort, status })
          expect(await walked(refundsList, parsed)).toEqual(wholly(wanted))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('(active plans)', async () => {
    await fc.assert(
      fc.asyncProperty(
        asked,
        fc.constantFrom(...subscriptionSortKeys),
        fc.constantFrom('all', 'active', 'paused'),
        fc.constantFrom(undefined, 'monthly', 'annual'),
        async ({ history, ...query }, sort, status, interval) => {
          await db.given(purchases, history, 7)
          const entries = (await subscriptions({ pageSize: 100 })).items
            .filter(
              (row) =>
                (status === 'all' || row.status === status) &&
                (!interval || intervalCategory(row.interval, row.plan_name) === interval),
            )
            .map((row) => ({
              key: row.subscription_id,
              sortedBy: {
                created_at: [Date.parse(row.created_at)],
                status: [row.status, Date.parse(row.created_at)],
                current_period_end: [Date.parse(row.current_period_end)],
              },
              texts: [row.plan_name, row.company_name, ...emailsIn(history, row.user_id)],
            }))
          const page = await subscriptions({ ...query, sort, status, interval, pageSize: 100 })
          const wanted = expectedKeys(entries, { ...query, sort })
          expect(page.items.map(({ subscription_id }) => subscription_id)).toEqual(wanted)
          const parsed = adminSubscriptionsQuery.parse({ ...query, sort, status, interval })
          expect(await walked(subscriptionsList, parsed)).toEqual(wholly(wanted))
        },
      ),
      { numRuns: 60 },
    )
  })
})

/** The addresses of a user after a history. */
function emailsIn(history: readonly RecordedEvent[], userId: string): readonly string[] {
  let emails: string[] = []
  for (const event of history.filter(({ stream }) => stream === `account-${userId}`)) {
    if (event.type === 'AccountOpened') emails = [event.data.email]
    if (event.type === 'SecondaryEmailSet') emails = [emails[0] ?? '', event.data.email]
    if (event.type === 'SecondaryEmailRemoved') emails = emails.slice(0, 1)
    if (event.type === 'PersonalDataErased') emails = ['[erased]']
  }
  return emails
}
