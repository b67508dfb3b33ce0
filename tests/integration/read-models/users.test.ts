import { describe, expect, it } from '@jest/globals'
import { adminUsersQuery, adminUsersResponse } from '#contracts/admin/users'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { listPage } from '#projections/listing/list-page'
import { summary } from '#projections/users/queries/summary'
import { users } from '#projections/users/read-model'
import { planById } from '#contracts/plans'
import { endReasons } from '#contracts/subscription-status'
import { termsOf } from '#services/payments/plan-prices'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import {
  accountOpened,
  billing,
  emailVerified,
  observed,
  paymentFailed,
  paymentSucceeded,
  profile,
  profileCompleted,
  recorded,
  subscriptionStarted,
} from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { amountsOf } from '../../support/data/provider-invoice.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'
import { usersList } from '../../support/projections/users-list.ts'

const now = new Date('2026-03-20T12:00:00.000Z')
const opened = accountOpened('usr_1', 'dana@birchwooddental.example', {
  occurredAt: '2026-03-01T08:00:00.000Z',
})

const db = sharedReadModelFixture()

async function userAfter(...events: RecordedEvent[]) {
  await db.given(users, [opened, ...events])
  const page = adminUsersResponse.parse(
    await listPage(db.pool, usersList, adminUsersQuery.parse({}), now),
  )
  expect(page.items).toHaveLength(1)
  return page.items[0]!
}

async function cardsAfter(...events: RecordedEvent[]) {
  await db.given(users, [opened, ...events])
  return await summary(db.pool, now)
}

describe('a user', () => {
  it('has only an e-mail address after AccountOpened', async () => {
    expect(await userAfter()).toEqual({
      user_id: 'usr_1',
      email: 'dana@birchwooddental.example',
      secondary_email: null,
      is_primary_email_active: true,
      blocked: false,
      user_type: 1,
      created_at: '2026-03-01T08:00:00.000Z',
      active_plans: 0,
      active_plan_details: [],
      total_active_accounts: 0,
      clients: 0,
      open_receivables: 0,
      latest_expiration: null,
      total_spent: 0,
      currency: 'usd',
      lost_disputes: 0,
      full_name: null,
      company_name: null,
      company_domain: null,
      company_website_url: null,
      company_address: null,
      support_email: null,
      support_phone: null,
    })
  })

  it('with a company profile has type 2 and a company', async () => {
    expect(await userAfter(profileCompleted('usr_1'))).toMatchObject({
      user_type: 2,
      full_name: 'Dana Whitlock',
      company_name: 'Birchwood Dental Group',
      company_domain: 'Dental',
      company_website_url: 'https://birchwooddental.example',
      company_address: '418 Orchard Lane, Suite 2, Duluth, Minnesota 55802',
      support_email: 'help@birchwooddental.example',
      support_phone: '(218) 555-0147',
    })
  })

  it('keeps the type after a profile update, and loses optional fields that the update omits', async () => {
    const { websiteUrl: _, city: __, ...short } = profile
    const updated = recorded('account-usr_1', {
      type: 'ProfileUpdated',
      data: { ...short, companyName: 'Birchwood' },
    })
    expect(await userAfter(profileCompleted('usr_1'), updated)).toMatchObject({
      user_type: 2,
      company_name: 'Birchwood',
      company_website_url: null,
      company_address: '418 Orchard Lane, Suite 2, Minnesota 55802',
    })
  })

  it('with a verified address has type 3, even if the profile comes later', async () => {
    const verified = emailVerified('usr_1', 'dana@birchwooddental.example')
    expect((await userAfter(verified)).user_type).toBe(3)
    expect((await userAfter(verified, profileCompleted('usr_1'))).user_type).toBe(3)
  })

  it('is blocked after AccountBlocked and active again after AccountUnblocked', async () => {
    const change = (type: 'AccountBlocked' | 'AccountUnblocked', revision: number) =>
      recorded('account-usr_1', { type, data: {} }, { revision })
    const blocked = change('AccountBlocked', 1)
    expect(await userAfter(blocked)).toMatchObject({ blocked: true })
    expect(await cardsAfter(blocked)).toMatchObject({ totalUsers: 1, activeUsers: 0 })
    const unblocked = change('AccountUnblocked', 2)
    expect(await userAfter(blocked, unblocked)).toMatchObject({ blocked: false })
    expect(await cardsAfter(blocked, unblocked)).toMatchObject({ totalUsers: 1, activeUsers: 1 })
  })

  it('has type 4 after a payment, but not after a failed payment', async () => {
    expect((await userAfter(paymentFailed('usr_1'))).user_type).toBe(1)
    expect((await userAfter(paymentFailed('usr_1'), paymentSucceeded('usr_1'))).user_type).toBe(4)
  })
})

describe('in the list of users,', () => {
  it('a payment makes a plan active until the end of the paid period', async () => {
    expect(await userAfter(subscriptionStarted('usr_1'), paymentSucceeded('usr_1'))).toMatchObject({
      active_plans: 1,
      active_plan_details: [{ id: 'monthly', name: 'Monthly Plan' }],
      latest_expiration: '2026-04-03T09:12:00.000Z',
      total_spent: 39,
    })
  })

  it('a subscription without a payment is not an active plan', async () => {
    expect(await userAfter(subscriptionStarted('usr_1'))).toMatchObject({
      active_plans: 0,
      latest_expiration: null,
    })
  })

  it('a plan that expires exactly now is expired', async () => {
    expect(
      await userAfter(paymentSucceeded('usr_1', { periodEnd: now.toISOString() })),
    ).toMatchObject({
      active_plans: 0,
      active_plan_details: [],
      latest_expiration: now.toISOString(),
    })
    expect(
      await userAfter(paymentSucceeded('usr_1', { periodEnd: '2026-03-20T12:00:00.001Z' })),
    ).toMatchObject({ active_plans: 1 })
  })

  it('renewals extend one plan, and an earlier payment that arrives late does not shorten it', async () => {
    const april = paymentSucceeded('usr_1', {
      paymentId: 'payment_2',
      invoiceRef: refOf('in_2'),
      periodEnd: '2026-05-03T09:12:00.000Z',
    })
    expect(
      await userAfter(subscriptionStarted('usr_1'), april, paymentSucceeded('usr_1')),
    ).toMatchObject({
      active_plans: 1,
      latest_expiration: '2026-05-03T09:12:00.000Z',
      total_spent: 78,
    })
  })

  it('the end of a subscription ends its paid time, even if the payment is recorded later', async () => {
    const ended = billing('usr_1', {
      type: 'SubscriptionEnded',
      data: {
        subscriptionId: 'subscription_1',
        why: 'blocked',
        endedAt: '2026-03-10T00:00:00.000Z',
      },
    })
    const expected = {
      active_plans: 0,
      latest_expiration: '2026-03-10T00:00:00.000Z',
      total_spent: 39,
    }
    expect(
      await userAfter(subscriptionStarted('usr_1'), paymentSucceeded('usr_1'), ended),
    ).toMatchObject(expected)
    expect(
      await userAfter(subscriptionStarted('usr_1'), ended, paymentSucceeded('usr_1')),
    ).toMatchObject(expected)
  })

  it('two subscriptions are two plans', async () => {
    const second = {
      subscriptionId: 'subscription_2',
      subscriptionRef: refOf('sub_2'),
      planId: 'annual',
      planName: 'Annual Plan',
    } as const
    const user = await userAfter(
      subscriptionStarted('usr_1'),
      paymentSucceeded('usr_1'),
      subscriptionStarted('usr_1', second),
      paymentSucceeded('usr_1', {
        ...second,
        paymentId: 'payment_2',
        invoiceRef: refOf('in_2'),
        periodEnd: '2027-03-03T09:12:00.000Z',
        amounts: amountsOf(35900),
      }),
    )
    expect(user).toMatchObject({
      active_plans: 2,
      total_spent: 398,
      latest_expiration: '2027-03-03T09:12:00.000Z',
    })
    expect(user.active_plan_details.map(({ id }) => id).sort()).toEqual(['annual', 'monthly'])
  })

  it('an annual plan that becomes a monthly plan expires with the month', async () => {
    const { subscriptionId, from, to } = samplePayloads.PlanChanged
    const changed = billing('usr_1', {
      type: 'PlanChanged',
      data: {
        ...samplePayloads.PlanChanged,
        from: to,
        to: from,
        currentPeriodStart: '2026-03-09T00:00:00.000Z',
        currentPeriodEnd: '2026-04-09T00:00:00.000Z',
      },
    })
    expect(
      await userAfter(
        subscriptionStarted('usr_1', { subscriptionId }),
        paymentSucceeded('usr_1', { subscriptionId, periodEnd: '2027-03-03T09:12:00.000Z' }),
        changed,
      ),
    ).toMatchObject({ latest_expiration: '2026-04-09T00:00:00.000Z' })
  })

  it('a price outside the catalogue is a plan with the name of its subscription', async () => {
    const user = await userAfter(
      subscriptionStarted('usr_1', { planId: null, planName: 'Legacy' }),
      paymentSucceeded('usr_1', { planId: null, planName: null }),
    )
    expect(user).toMatchObject({
      active_plan_details: [{ id: 'subscription_1', name: 'Legacy' }],
    })
  })
})

describe('money', () => {
  it('is summed per currency: the list shows the home currency, and zero-decimal currencies have the right exponent', async () => {
    const yen = paymentSucceeded('usr_1', {
      paymentId: 'payment_2',
      invoiceRef: refOf('in_2'),
      amounts: amountsOf(5000, 'jpy'),
    })
    expect(await userAfter(yen)).toMatchObject({ total_spent: 5000, currency: 'jpy' })
    expect(await userAfter(yen, paymentSucceeded('usr_1'))).toMatchObject({
      total_spent: 39,
      currency: 'usd',
    })
    expect(await cardsAfter(yen, paymentSucceeded('usr_1'))).toMatchObject({
      totalRevenue: 39,
      currency: 'usd',
      otherRevenue: [{ currency: 'jpy', amount: 5000 }],
    })
    const amount = { amount: 1001, currency: 'jpy' }
    const returned = billing('usr_1', {
      type: 'RefundRecorded',
      data: { ...samplePayloads.RefundRecorded, amount, status: 'succeeded' },
    })
    expect(await cardsAfter(yen, paymentSucceeded('usr_1'), returned)).toMatchObject({
      otherRevenue: [{ currency: 'jpy', amount: 3999 }],
      refunds: { totalAmount: 0, otherAmounts: [{ currency: 'jpy', amount: 1001 }] },
    })
    const failed = billing('usr_1', {
      type: 'RefundStatusChanged',
      data: { ...samplePayloads.RefundStatusChanged, from: 'succeeded', to: 'failed' },
    })
    expect(await cardsAfter(yen, paymentSucceeded('usr_1'), returned, failed)).toMatchObject({
      otherRevenue: [{ currency: 'jpy', amount: 5000 }],
      refunds: { total: 1, totalAmount: 0, otherAmounts: [] },
    })
  })
})

describe('a lost dispute', () => {
  const openedDispute = billing('usr_1', {
    type: 'DisputeOpened',
    data: samplePayloads.DisputeOpened,
  })
  const closed = (outcome: 'won' | 'lost' | 'inquiry-closed') =>
    billing('usr_1', {
      type: 'DisputeClosed',
      data: { ...samplePayloads.DisputeClosed, outcome },
    })

  it.each([
    [[openedDispute], 0],
    [[openedDispute, closed('won')], 0],
    [[openedDispute, closed('inquiry-closed'), openedDispute], 0],
    [[openedDispute, closed('lost')], 1],
    [[openedDispute, closed('lost'), closed('won')], 0],
  ])('is counted at its user and in the cards (%#)', async (events, lost) => {
    expect(await userAfter(...events)).toMatchObject({ lost_disputes: lost })
    expect(await cardsAfter(...events)).toMatchObject({ lostDisputes: lost })
  })
})

describe('the dashboard cards', () => {
  it('are 0 for an empty log', async () => {
    await db.given(users, [])
    expect(await summary(db.pool, now)).toMatchObject({
      totalUsers: 0,
      activeUsers: 0,
      totalRevenue: 0,
      activePlans: 0,
      activeSubscriptions: 0,
      usersByType: { emailOnly: 0, withCompany: 0, verified: 0, paying: 0 },
    })
  })

  it('count every user once, by the highest type reached', async () => {
    const cards = await cardsAfter(
      profileCompleted('usr_1'),
      emailVerified('usr_1', 'dana@birchwooddental.example'),
      subscriptionStarted('usr_1'),
      paymentSucceeded('usr_1'),
      accountOpened('usr_2', 'b@example.com'),
      accountOpened('usr_3', 'c@example.com'),
      profileCompleted('usr_3'),
      accountOpened('usr_4', 'd@example.com'),
      emailVerified('usr_4', 'd@example.com'),
    )
    expect(cards).toMatchObject({
      totalUsers: 4,
      activeUsers: 4,
      totalRevenue: 39,
      activePlans: 1,
      activeSubscriptions: 1,
      usersByType: { emailOnly: 1, withCompany: 1, verified: 1, paying: 1 },
    })
  })

  it.each([
    ['later today', '2026-03-20T12:00:00.001Z', 1],
    ['now', '2026-03-20T12:00:00.000Z', 0],
    ['earlier today', '2026-03-20T00:00:00.000Z', 0],
    ['at the last moment of today', '2026-03-20T23:59:59.999Z', 1],
    ['as tomorrow begins', '2026-03-21T00:00:00.000Z', 1],
    ['yesterday', '2026-03-19T23:59:59.999Z', 0],
  ])(
    'count a plan as active before its expiration and not from then on: it expires %s',
    async (_, periodEnd, activePlans) => {
      expect(await cardsAfter(paymentSucceeded('usr_1', { periodEnd }))).toMatchObject({
        activePlans,
      })
      // The user has a later expiration too, so this expiration is the second in the row.
      const later = paymentSucceeded('usr_1', {
        subscriptionId: 'subscription_2',
        paymentId: 'payment_2',
        invoiceRef: refOf('in_2'),
        periodEnd: '2027-01-01T00:00:00.000Z',
      })
      expect(await cardsAfter(paymentSucceeded('usr_1', { periodEnd }), later)).toMatchObject({
        activePlans: activePlans + 1,
      })
    },
  )

  it.each([
    ['trialing', 1],
    ['active', 1],
    ['past_due', 1],
    ['unpaid', 1],
    ['incomplete', 0],
  ] as const)('count a subscription that is %s as %d active', async (to, activeSubscriptions) => {
    const changed = billing('usr_1', {
      type: 'SubscriptionStatusChanged',
      data: { subscriptionId: 'subscription_1', from: 'active', to, ...observed },
    })
    expect(await cardsAfter(subscriptionStarted('usr_1'), changed)).toMatchObject({
      activeSubscriptions,
    })
    expect(await cardsAfter(subscriptionStarted('usr_1', { status: to }))).toMatchObject({
      activeSubscriptions,
    })
  })

  it('count a subscription with a changed plan as one active subscription', async () => {
    const monthly = termsOf(planById('monthly'), refOf('price_monthly'))
    const changed = billing('usr_1', {
      type: 'PlanChanged',
      data: {
        subscriptionId: 'subscription_1',
        from: monthly,
        to: termsOf(planById('annual'), refOf('price_annual')),
        effectiveAt: '2026-03-19T10:00:00.000Z',
        currentPeriodStart: '2026-03-19T10:00:00.000Z',
        currentPeriodEnd: '2027-03-19T10:00:00.000Z',
        proration: null,
        prorationLines: [],
        isInferred: false,
      },
    })
    expect(await cardsAfter(subscriptionStarted('usr_1'), changed)).toMatchObject({
      activeSubscriptions: 1,
    })
  })

  it.each(endReasons)(
    'do not count a subscription that ended as %s, also if a status is recorded later',
    async (why) => {
      const ended = billing('usr_1', {
        type: 'SubscriptionEnded',
        data: {
          subscriptionId: 'subscription_1',
          why,
          endedAt: '2026-03-10T00:00:00.000Z',
        },
      })
      const changed = billing('usr_1', {
        type: 'SubscriptionStatusChanged',
        data: { subscriptionId: 'subscription_1', from: 'past_due', to: 'active', ...observed },
      })
      expect(await cardsAfter(subscriptionStarted('usr_1'), ended, changed)).toMatchObject({
        activeSubscriptions: 0,
      })
    },
  )
})

describe('folding', () => {
  it('refuses an event before AccountOpened, and names the user', async () => {
    await expect(db.given(users, [paymentSucceeded('usr_9')])).rejects.toThrow(
      'usr_9 has no AccountOpened',
    )
  })

  it('replaces the characters of a name that PostgreSQL cannot store', async () => {
    const user = await userAfter(
      profileCompleted('usr_1', { fullName: 'Da\0na \ud800!', companyName: '\\u0000 & Söhne' }),
    )
    expect(user).toMatchObject({ full_name: 'Da\uFFFDna \uFFFD!', company_name: '\\u0000 & Söhne' })
  })
})
