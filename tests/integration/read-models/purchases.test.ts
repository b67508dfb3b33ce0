import { describe, expect, it } from '@jest/globals'
import type { SubscriptionTerms, WayOfPayment } from '#contracts/events/billing-parts'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { refAt, type ProviderRef } from '#contracts/events/provider-ref'
import { parseSubscriptionId } from '#contracts/ids'
import { planById } from '#contracts/plans'
import { paymentsResponse, subscriptionChangesResponse } from '#contracts/purchases'
import { paymentsOf } from '#projections/purchases/queries/payments'
import { schemaOf } from '#projections/engine/read-model'
import { userOfProviderCustomer } from '#projections/purchases/queries/provider-customers'
import { ownerOfSubscription, subscriptionsOf } from '#projections/purchases/queries/subscriptions'
import { subscriptionChangesOf } from '#projections/purchases/queries/subscription-changes'
import { purchases } from '#projections/purchases/read-model'
import { termsOf } from '#services/payments/plan-prices'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import {
  accountOpened,
  billing,
  observed,
  paymentFailed,
  paymentSucceeded,
  profileCompleted,
  subscriptionStarted,
} from '../../support/data/events.ts'
import { amountsOf, visa } from '../../support/data/provider-invoice.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'

const now = new Date('2026-03-20T12:00:00.000Z')
const opened = accountOpened('usr_1', 'dana@birchwooddental.example')
const stripe = { subscriptionId: 'subscription_1' }

const monthly = termsOf(planById('monthly'), refOf('price_monthly'))
const annual = { ...termsOf(planById('annual'), refOf('price_annual')), quantity: 2 }

const paidBy = (...ways: readonly WayOfPayment[]) =>
  paymentSucceeded('usr_1', { paidBy: [...ways] })

/** From 19 March 2026, with a new period of a year. */
const planChanged = (to: SubscriptionTerms, from = monthly) =>
  billing(
    'usr_1',
    {
      type: 'PlanChanged',
      data: {
        ...stripe,
        from,
        to,
        effectiveAt: '2026-03-19T10:00:00.000Z',
        currentPeriodStart: '2026-03-19T10:00:00.000Z',
        currentPeriodEnd: '2027-03-19T10:00:00.000Z',
        proration: null,
        prorationLines: [],
        isInferred: false,
      },
    },
    { occurredAt: '2026-03-19T10:05:00.000Z' },
  )

const db = sharedReadModelFixture()

async function pageAfter(...events: RecordedEvent[]) {
  await db.given(purchases, [opened, ...events])
  return paymentsResponse.parse(await paymentsOf(db.pool, 'usr_1', now))
}

async function changesAfter(...events: RecordedEvent[]) {
  await db.given(purchases, [opened, ...events])
  return subscriptionChangesResponse.parse({
    changes: await subscriptionChangesOf(db.pool, 'usr_1'),
  }).changes
}

describe('a customer', () => {
  it('without purchases has an empty page, and no company until the profile is completed', async () => {
    expect(await pageAfter()).toEqual({
      payments: [],
      defaultPaymentMethod: null,
      refunds: [],
      transactions: [],
      activeSubscriptions: [],
      allSubscriptions: [],
      companyInfo: null,
      userInfo: {
        user_id: 'usr_1',
        full_name: null,
        email: 'dana@birchwooddental.example',
        secondary_email: null,
        is_primary_email_active: true,
      },
    })
    expect(await pageAfter(profileCompleted('usr_1'))).toMatchObject({
      userInfo: { full_name: 'Dana Whitlock' },
      companyInfo: {
        name: 'Birchwood Dental Group',
        domain: 'Dental',
        city: 'Duluth',
        state: 'Minnesota',
        zipcode: '55802',
      },
    })
  })

  it('without events has no page', async () => {
    await db.given(purchases, [opened])
    expect(await paymentsOf(db.pool, 'usr_9', now)).toBeNull()
  })

  it('sees no data of other customers', async () => {
    const other = [
      accountOpened('usr_2', 'rosa@delmontecpa.example'),
      subscriptionStarted('usr_2'),
      paymentSucceeded('usr_2'),
    ]
    expect(await pageAfter(...other)).toMatchObject({
      payments: [],
      transactions: [],
      allSubscriptions: [],
    })
  })
})

describe('among the payments and transactions of a customer,', () => {
  it('a paid invoice is one payment and one transaction, in major units', async () => {
    const page = await pageAfter(
      subscriptionStarted('usr_1'),
      paymentSucceeded('usr_1', {}, { occurredAt: '2026-03-03T09:13:00.000Z' }),
    )
    expect(page.payments).toEqual([
      {
        payment_id: 'payment_1',
        amount_total: 39,
        currency: 'usd',
        payment_method: 'Visa ending 4242',
        payment_status: 'paid',
        stripe_payment_intent_id: 'pi_1',
        created_at: '2026-03-03T09:13:00.000Z',
        plan_name: 'Monthly Plan',
        plan_status: 'active',
        plan_accounts: 'Unlimited',
        plan_id: 'monthly',
      },
    ])
    expect(page.transactions).toEqual([
      {
        id: 'payment_1',
        type: 'payment',
        amount: 39,
        currency: 'usd',
        status: 'paid',
        created_at: '2026-03-03T09:13:00.000Z',
        stripe_id: 'pi_1',
        description: 'Monthly Plan',
        payment_method: 'Visa ending 4242',
        reason: null,
        memo: null,
        receipt_url: '/receipts/payment_1',
      },
    ])
  })

  it('every failed attempt is a transaction but not a payment, and stays after a later attempt succeeds', async () => {
    const page = await pageAfter(
      paymentFailed('usr_1', {}, { occurredAt: '2026-03-03T09:00:00.000Z' }),
      paymentFailed('usr_1', { attempt: 2 }, { occurredAt: '2026-03-04T09:00:00.000Z' }),
      paymentSucceeded('usr_1', {}, { occurredAt: '2026-03-05T09:00:00.000Z' }),
    )
    expect(page.payments.map(({ payment_id }) => payment_id)).toEqual(['payment_1'])
    expect(page.transactions.map(({ status, payment_method }) => [status, payment_method])).toEqual(
      [
        ['paid', 'Visa ending 4242'],
        ['failed', 'Visa ending 0341'],
        ['failed', 'Visa ending 0341'],
      ],
    )
    expect(new Set(page.transactions.map(({ id }) => id)).size).toBe(3)
  })

  it('the newest comes first, in any order of recording', async () => {
    const page = await pageAfter(
      paymentSucceeded(
        'usr_1',
        { paymentId: 'payment_2', invoiceRef: refOf('in_2') },
        { occurredAt: '2026-04-03T09:12:00.000Z' },
      ),
      paymentSucceeded('usr_1', {}, { occurredAt: '2026-03-03T09:12:00.000Z' }),
    )
    expect(page.payments.map(({ payment_id }) => payment_id)).toEqual(['payment_2', 'payment_1'])
    expect(page.transactions.map(({ id }) => id)).toEqual(['payment_2', 'payment_1'])
  })

  it('the plan of a payment is expired after its period or its subscription ends', async () => {
    expect(
      (await pageAfter(paymentSucceeded('usr_1', { periodEnd: now.toISOString() }))).payments[0],
    ).toMatchObject({ plan_status: 'expired' })
    const ended = billing('usr_1', {
      type: 'SubscriptionEnded',
      data: { ...stripe, why: 'blocked', endedAt: '2026-03-10T00:00:00.000Z' },
    })
    expect(
      (await pageAfter(subscriptionStarted('usr_1'), paymentSucceeded('usr_1'), ended)).payments[0],
    ).toMatchObject({ plan_status: 'expired' })
  })

  it.each([
    [null, 'Card'],
    [{ type: 'card', brand: null, last4: null, expiryMonth: null, expiryYear: null }, 'Card'],
    [
      { type: 'card', brand: 'amex', last4: '0005', expiryMonth: 1, expiryYear: 2030 },
      'American Express ending 0005',
    ],
    [
      { type: 'us_bank_account', brand: null, last4: '6789', expiryMonth: null, expiryYear: null },
      'Bank account ending 6789',
    ],
    [{ type: 'link', brand: null, last4: null, expiryMonth: null, expiryYear: null }, 'Link'],
  ])('the payment method %j has the name %s', async (method, text) => {
    expect((await pageAfter(paidBy({ kind: 'method', method }))).payments[0]).toMatchObject({
      payment_method: text,
    })
  })

  it.each([
    [[], 'None, nothing was due'],
    [[{ kind: 'outside', amount: 3900 }], 'Payment directly to us'],
    [[{ kind: 'credit' }], 'Credit balance'],
    [[{ kind: 'method', method: visa }, { kind: 'credit' }], 'Visa ending 4242 and credit balance'],
    [
      [
        { kind: 'method', method: null },
        { kind: 'outside', amount: 900 },
      ],
      'Card and payment directly to us',
    ],
  ] as const)('of an invoice paid by %j, the payment method is %s', async (ways, text) => {
    const page = await pageAfter(paidBy(...ways))
    for (const shown of [page.payments[0], page.transactions[0]])
      expect(shown).toMatchObject({ payment_method: text })
  })

  it('neither an attempt without a means nor an invoice that is written off was by card', async () => {
    const page = await pageAfter(
      paymentFailed('usr_1', { method: null }),
      billing('usr_1', {
        type: 'InvoiceWrittenOff',
        data: {
          ...samplePayloads.InvoiceWrittenOff,
          paymentId: 'payment_1',
          invoiceRef: refOf('in_1'),
        },
      }),
    )
    expect(page.transactions).toMatchObject([{ payment_method: null }, { payment_method: null }])
  })

  it.each([
    [{ toBalance: 500, outOfBand: 0 }, 'Credit balance'],
    [{ toBalance: 0, outOfBand: 500 }, 'Paid back directly by us'],
    [{ toBalance: 200, outOfBand: 300 }, 'Credit balance and paid back directly by us'],
  ])('the credit of a credit note went by %j: %s', async (parts, text) => {
    const data = { ...samplePayloads.CreditNoteIssued, ...parts }
    const page = await pageAfter(billing('usr_1', { type: 'CreditNoteIssued', data }))
    for (const shown of [page.payments[0], page.transactions[0]])
      expect(shown).toMatchObject({ payment_method: text })
  })

  it('an amount has the exponent of its currency', async () => {
    const page = await pageAfter(paymentSucceeded('usr_1', { amounts: amountsOf(5000, 'jpy') }))
    expect(page.payments[0]).toMatchObject({ amount_total: 5000, currency: 'jpy' })
  })
})

describe('a subscription', () => {
  it("is found by the product's id and by the provider's id, with its owner", async () => {
    await db.given(purchases, [opened, subscriptionStarted('usr_1')])
    expect(await ownerOfSubscription(db.pool, parseSubscriptionId('subscription_1'))).toBe('usr_1')
    expect(await ownerOfSubscription(db.pool, refOf('sub_1'))).toBe('usr_1')
    expect(await ownerOfSubscription(db.pool, refOf('sub_2'))).toBeNull()
  })
})

describe('equal ids of two providers', () => {
  it('are two payments and two subscriptions, which the API shows with the same id', async () => {
    const elsewhere = { subscriptionId: 'subscription_2', paymentId: 'payment_2' }
    const page = await pageAfter(
      subscriptionStarted('usr_1'),
      paymentSucceeded('usr_1'),
      subscriptionStarted('usr_1', {
        subscriptionId: elsewhere.subscriptionId,
        subscriptionRef: refAt('other', 'sub_1'),
      }),
      paymentSucceeded('usr_1', {
        ...elsewhere,
        invoiceRef: refAt('other', 'in_1'),
        paymentRef: refAt('other', 'pi_1'),
      }),
    )
    expect(page.payments.map((each) => each.stripe_payment_intent_id)).toEqual(['pi_1', 'pi_1'])
    const subscriptions = await subscriptionsOf(db.pool, 'usr_1')
    expect(subscriptions.map((each) => each.stripe_subscription_id)).toEqual(['sub_1', 'sub_1'])
  })

  it('are two customers of two accounts', async () => {
    const link = (userId: string, customerRef: ProviderRef) =>
      billing(userId, { type: 'PaymentCustomerLinked', data: { customerRef } })
    await db.given(purchases, [
      link('usr_1', refOf('cus_1')),
      link('usr_2', refAt('other', 'cus_1')),
    ])
    expect(await userOfProviderCustomer(db.pool, refOf('cus_1'))).toBe('usr_1')
    expect(await userOfProviderCustomer(db.pool, refAt('other', 'cus_1'))).toBe('usr_2')
  })
})

describe('among the subscriptions of a customer,', () => {
  it('a started subscription is active until it ends', async () => {
    const page = await pageAfter(subscriptionStarted('usr_1'), paymentSucceeded('usr_1'))
    expect(page.activeSubscriptions).toEqual([
      {
        id: 'subscription_1',
        subscription_id: 'subscription_1',
        stripe_subscription_id: 'sub_1',
        name: 'Monthly Plan',
        plan_name: 'Monthly Plan',
        plan_id: 'monthly',
        status: 'active',
        interval: 'month',
        plan_interval: 'month',
        price: 39,
        currency: 'usd',
        metadata: {
          custom_interval: null,
          plan_interval: 'month',
          pending_replacement: false,
          is_plan_change: false,
        },
        cancel_at_period_end: false,
        will_cancel: false,
        cancel_at: null,
        resumes_at: null,
        next_subscription_id: null,
        previous_subscription_id: null,
        is_plan_change: false,
        current_period_start: '2026-03-03T09:12:00.000Z',
        current_period_end: '2026-04-03T09:12:00.000Z',
        paid_until: '2026-04-03T09:12:00.000Z',
        related_payment_id: 'payment_1',
        onboarding_ends_at: '2026-03-10T21:00:00.000Z',
        unpaid_invoices: [],
        manage_url: '/api/portal/subscription_1?action=manage',
      },
    ])
    expect(page.allSubscriptions).toEqual(page.activeSubscriptions)
  })

  it('an incomplete one has an onboarding from the time at which it becomes active', async () => {
    const started = subscriptionStarted('usr_1', { status: 'incomplete' })
    expect((await pageAfter(started)).allSubscriptions).toMatchObject([
      { status: 'incomplete', onboarding_ends_at: null },
    ])
    const turns = (from: 'incomplete' | 'past_due', to: 'active' | 'past_due', at: string) =>
      billing(
        'usr_1',
        {
          type: 'SubscriptionStatusChanged',
          data: { ...stripe, from, to, changedAt: at, isInferred: false },
        },
        { occurredAt: at },
      )
    const page = await pageAfter(
      started,
      turns('incomplete', 'active', '2026-03-06T20:00:00.000Z'),
      turns('past_due', 'active', '2026-05-06T20:00:00.000Z'),
    )
    // Friday, 3 PM in New York: two hours, a week of 40 hours without a change of clocks, six
    // hours.
    expect(page.allSubscriptions).toMatchObject([
      { status: 'active', onboarding_ends_at: '2026-03-16T19:00:00.000Z' },
    ])
  })

  it('an ended subscription is listed after the others', async () => {
    const ended = billing('usr_1', {
      type: 'SubscriptionEnded',
      data: { ...stripe, why: 'canceled', endedAt: '2026-03-19T00:00:00.000Z' },
    })
    const older = subscriptionStarted(
      'usr_1',
      { subscriptionId: 'subscription_0', subscriptionRef: refOf('sub_0') },
      { occurredAt: '2025-01-01T00:00:00.000Z' },
    )
    const page = await pageAfter(older, subscriptionStarted('usr_1'), ended)
    expect(page.activeSubscriptions.map(({ id }) => id)).toEqual(['subscription_0'])
    expect(page.allSubscriptions.map(({ id, status }) => [id, status])).toEqual([
      ['subscription_0', 'active'],
      ['subscription_1', 'canceled'],
    ])
  })

  it('an ended subscription stays canceled if a status is recorded later', async () => {
    const page = await pageAfter(
      subscriptionStarted('usr_1'),
      billing('usr_1', {
        type: 'SubscriptionEnded',
        data: { ...stripe, why: 'canceled', endedAt: '2026-03-19T00:00:00.000Z' },
      }),
      billing('usr_1', {
        type: 'SubscriptionStatusChanged',
        data: { ...stripe, from: 'past_due', to: 'active', ...observed },
      }),
    )
    expect(page.allSubscriptions.map(({ status }) => status)).toEqual(['canceled'])
  })

  it.each([
    ['active', '2026-03-19T00:00:00.000Z'],
    ['canceled', null],
  ])('a row with the status %s and the end %s is refused', async (status, endedAt) => {
    await db.given(purchases, [opened, subscriptionStarted('usr_1')])
    await db.pool.query(
      `UPDATE ${schemaOf(purchases)}.subscription SET status = $1, ended_at = $2`,
      [status, endedAt],
    )
    await expect(paymentsOf(db.pool, 'usr_1', now)).rejects.toThrow(
      "the column 'status' must be a status of an ended subscription if and only if the column 'ended_at' is set.",
    )
  })

  it.each([
    [1, 'month', 'month'],
    [6, 'month', '6_month'],
    [1, 'year', 'year'],
  ] as const)('a plan of %d %s has the interval %s', async (intervalCount, interval, expected) => {
    const page = await pageAfter(subscriptionStarted('usr_1', { interval, intervalCount }))
    expect(page.allSubscriptions[0]).toMatchObject({ interval: expected, plan_interval: expected })
  })

  it('a renewal changes the period, and a status change changes the status', async () => {
    const page = await pageAfter(
      subscriptionStarted('usr_1'),
      billing('usr_1', {
        type: 'SubscriptionRenewed',
        data: {
          ...stripe,
          currentPeriodStart: '2026-04-03T09:12:00.000Z',
          currentPeriodEnd: '2026-05-03T09:12:00.000Z',
        },
      }),
      billing('usr_1', {
        type: 'SubscriptionStatusChanged',
        data: { ...stripe, from: 'active', to: 'past_due', ...observed },
      }),
    )
    expect(page.activeSubscriptions[0]).toMatchObject({
      status: 'past_due',
      current_period_start: '2026-04-03T09:12:00.000Z',
      current_period_end: '2026-05-03T09:12:00.000Z',
    })
  })

  it('a subscription that expired before its first payment has ended without a cancellation', async () => {
    const events = [
      subscriptionStarted('usr_1', { status: 'incomplete' }),
      billing('usr_1', {
        type: 'SubscriptionEnded',
        data: { ...stripe, why: 'expired', endedAt: '2026-03-04T09:12:00.000Z' },
      }),
    ]
    expect((await pageAfter(...events)).allSubscriptions[0]).toMatchObject({
      status: 'incomplete_expired',
    })
    expect(await changesAfter(...events)).toEqual([])
  })

  it('a plan change replaces plan, price and period', async () => {
    const page = await pageAfter(subscriptionStarted('usr_1'), planChanged(annual))
    expect(page.allSubscriptions).toHaveLength(1)
    expect(page.activeSubscriptions[0]).toMatchObject({
      id: 'subscription_1',
      plan_id: 'annual',
      plan_name: 'Annual Plan',
      interval: 'year',
      price: 718,
      current_period_start: '2026-03-19T10:00:00.000Z',
      current_period_end: '2027-03-19T10:00:00.000Z',
    })
  })

  it('an event of a subscription that was never started is refused', async () => {
    const orphan = billing('usr_1', {
      type: 'CancellationWithdrawn',
      data: { subscriptionId: 'subscription_9', ...observed },
    })
    await expect(db.given(purchases, [opened, orphan])).rejects.toThrow(
      'subscription_9 has no SubscriptionStarted',
    )
  })

  it.each([subscriptionStarted, paymentSucceeded])(
    'an event of a user without AccountOpened is refused: a list could not show its row',
    async (event) => {
      await expect(db.given(purchases, [event('usr_9')])).rejects.toThrow(
        'usr_9 has no AccountOpened',
      )
    },
  )
})

describe('a plan change', () => {
  it.each([
    ['upgrade', monthly, annual, 'month', 'year'],
    ['downgrade', annual, monthly, 'year', 'month'],
    ['upgrade', monthly, { ...monthly, quantity: 2 }, 'month', 'month'],
  ] as const)(
    'is an %s by the larger invoice',
    async (type, from, to, oldInterval, newInterval) => {
      const changes = await changesAfter(subscriptionStarted('usr_1', from), planChanged(to, from))
      expect(changes).toMatchObject([
        {
          change_type: type,
          change_date: '2026-03-19T10:05:00.000Z',
          effective_date: '2026-03-19T10:00:00.000Z',
          previous_plan: from.planName,
          new_plan: to.planName,
          old_interval: oldInterval,
          new_interval: newInterval,
          old_next_billing: '2026-04-03T09:12:00.000Z',
          new_next_billing: '2027-03-19T10:00:00.000Z',
          proration_amount: null,
          withdrawn_date: null,
        },
      ])
    },
  )
})

describe('a cancellation', () => {
  const changeRequested = (effectiveAt: string) =>
    billing(
      'usr_1',
      { type: 'CancellationScheduled', data: { ...stripe, effectiveAt, ...observed } },
      { occurredAt: '2026-03-09T10:00:00.000Z' },
    )
  const withdrawn = billing(
    'usr_1',
    { type: 'CancellationWithdrawn', data: { ...stripe, ...observed } },
    { occurredAt: '2026-03-12T10:00:00.000Z' },
  )
  const ended = (endedAt: string) =>
    billing(
      'usr_1',
      { type: 'SubscriptionEnded', data: { ...stripe, why: 'canceled', endedAt } },
      { occurredAt: endedAt },
    )

  it('is listed as a change from the time of the request', async () => {
    const events = [subscriptionStarted('usr_1'), changeRequested('2026-04-03T09:12:00.000Z')]
    expect(await changesAfter(...events)).toEqual([
      {
        change_id: events[1]!.id,
        change_type: 'cancellation',
        change_date: '2026-03-09T10:00:00.000Z',
        created_at: '2026-03-09T10:00:00.000Z',
        effective_date: '2026-04-03T09:12:00.000Z',
        original_plan_name: 'Monthly Plan',
        previous_plan: 'Monthly Plan',
        old_plan: 'Monthly Plan',
        new_plan_name: null,
        new_plan: null,
        proration_amount: null,
        withdrawn_date: null,
        currency: 'usd',
        old_interval: 'month',
        new_interval: null,
        old_next_billing: '2026-04-03T09:12:00.000Z',
        new_next_billing: null,
      },
    ])
    expect((await pageAfter(...events)).activeSubscriptions[0]).toMatchObject({
      status: 'active',
      will_cancel: true,
      cancel_at_period_end: true,
      cancel_at: '2026-04-03T09:12:00.000Z',
    })
  })

  it('at another time than the period end is not listed as a cancellation at the period end', async () => {
    expect(
      (await pageAfter(subscriptionStarted('usr_1'), changeRequested('2026-03-25T00:00:00.000Z')))
        .activeSubscriptions[0],
    ).toMatchObject({
      will_cancel: true,
      cancel_at_period_end: false,
      cancel_at: '2026-03-25T00:00:00.000Z',
    })
  })

  it('is listed as withdrawn after it is withdrawn, and can be requested again', async () => {
    const events = [
      subscriptionStarted('usr_1'),
      changeRequested('2026-04-03T09:12:00.000Z'),
      withdrawn,
    ]
    expect(await changesAfter(...events)).toMatchObject([
      { change_type: 'cancellation', withdrawn_date: '2026-03-12T10:00:00.000Z' },
    ])
    expect((await pageAfter(...events)).activeSubscriptions[0]).toMatchObject({
      will_cancel: false,
      cancel_at: null,
    })
    expect(await changesAfter(...events, changeRequested('2026-05-03T09:12:00.000Z'))).toHaveLength(
      2,
    )
  })

  it('stays one change if its date changes', async () => {
    const changes = await changesAfter(
      subscriptionStarted('usr_1'),
      changeRequested('2026-04-03T09:12:00.000Z'),
      changeRequested('2026-03-30T00:00:00.000Z'),
    )
    expect(changes.map(({ effective_date }) => effective_date)).toEqual([
      '2026-03-30T00:00:00.000Z',
    ])
  })

  it('takes effect when the subscription ends', async () => {
    const changes = await changesAfter(
      subscriptionStarted('usr_1'),
      changeRequested('2026-04-03T09:12:00.000Z'),
      ended('2026-04-03T09:15:00.000Z'),
    )
    expect(changes.map(({ change_date, effective_date }) => [change_date, effective_date])).toEqual(
      [['2026-03-09T10:00:00.000Z', '2026-04-03T09:15:00.000Z']],
    )
  })

  it('without a schedule is listed as a change when the subscription ends', async () => {
    expect(
      await changesAfter(subscriptionStarted('usr_1'), ended('2026-03-15T00:00:00.000Z')),
    ).toMatchObject([
      {
        change_type: 'cancellation',
        change_date: '2026-03-15T00:00:00.000Z',
        effective_date: '2026-03-15T00:00:00.000Z',
      },
    ])
  })
})
