import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { BillingEvent, SubscriptionEnd } from '#contracts/events/billing'
import type { ProviderRef } from '#contracts/events/provider-ref'
import { parseCheckoutId } from '#contracts/ids'
import { planById } from '#contracts/plans'
import { billingDecider, type BillingCommand } from '#services/billing/billing-decider'
import { liveSubscriptions } from '#services/billing/billing-state'
import { stateOfNewCustomer } from '#services/billing/new-customer'
import { paymentIdOf, subscriptionIdOf } from '#services/billing/product-ids'
import { termsOf } from '#services/payments/plan-prices'
import { noHistory } from '#services/payments/provider-change'
import type { ProviderCheckout, ProviderState } from '#services/payments/provider-state'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { given } from '../support/data/given.ts'
import { failedAttempt, providerInvoice } from '../support/data/provider-invoice.ts'
import {
  endedProviderSubscription,
  providerSubscription,
} from '../support/data/provider-subscription.ts'

const at = '2026-03-03T09:12:00.000Z'
const later = '2026-04-03T09:12:00.000Z'
const muchLater = '2026-05-03T09:12:00.000Z'
const latest = '2026-06-03T09:12:00.000Z'
const monthly = termsOf(planById('monthly'), refOf('price_monthly'))
const annual = termsOf(planById('annual'), refOf('price_annual'))

const subscription = providerSubscription
const ended = (why: SubscriptionEnd['why']) => endedProviderSubscription(why)
const invoice = providerInvoice()
const session = (
  status: ProviderCheckout['status'],
  checkoutId = 'checkout_1',
  sessionRef: ProviderRef = refOf('cs_1'),
): ProviderCheckout => ({
  checkoutId: parseCheckoutId(checkoutId),
  sessionRef,
  status,
  openedAt: at,
  expiresAt: later,
  subscriptionRef: status === 'complete' ? refOf('sub_1') : null,
})
const paid: ProviderState = {
  ...stateOfNewCustomer,
  checkouts: [session('complete')],
  subscriptions: [subscription],
  invoices: [invoice],
}

const start = (
  checkoutId = 'checkout_1',
  terms = monthly,
  time = at,
  providerState: Partial<ProviderState> = {},
): BillingCommand => ({
  type: 'start-checkout',
  checkoutId: parseCheckoutId(checkoutId),
  terms,
  providerState: { ...stateOfNewCustomer, ...providerState },
  isBlocked: false,
  at: time,
})
const record = (providerState: Partial<ProviderState>, time = at): BillingCommand => ({
  type: 'reconcile',
  providerState: { ...stateOfNewCustomer, ...providerState },
  at: time,
})

const started = (checkoutId: string, lapsesAt: string, terms = monthly): BillingEvent => ({
  type: 'CheckoutStarted',
  data: { checkoutId, lapsesAt, ...terms },
})
const lapsesAt = '2026-03-03T09:22:00.000Z'
const checkoutStarted = started('checkout_1', lapsesAt)
const sessionOpened: BillingEvent = {
  type: 'CheckoutSessionOpened',
  data: { checkoutId: 'checkout_1', sessionRef: refOf('cs_1'), expiresAt: later },
}

/** The events that the commands decide, each folded before the next command. */
function after(...commands: BillingCommand[]) {
  return commands.reduce<BillingEvent[]>((events, command) => {
    const decision = given(billingDecider, ...events).decide(command)
    return decision.kind === 'accepted' ? [...events, ...decision.events] : events
  }, [])
}
const whenAfter = (commands: BillingCommand[], command: BillingCommand) =>
  given(billingDecider, ...after(...commands)).when(command)

describe('a checkout', () => {
  it('of a customer without an open checkout is reserved', () => {
    expect(given(billingDecider).when(start())).toEqual([checkoutStarted])
  })

  it('of the same plan continues in a second tab without a second reservation', () => {
    const second = given(billingDecider, checkoutStarted, sessionOpened)
    expect(second.when(start('checkout_2'))).toEqual([])
    expect(second.state.openCheckout?.checkoutId).toBe('checkout_1')
  })

  it('is refused while a checkout of another plan is open', () => {
    expect(
      given(billingDecider, checkoutStarted, sessionOpened).when(start('checkout_2', annual)),
    ).toMatchObject({
      refused: {
        kind: 'other-checkout-open',
        open: { checkoutId: 'checkout_1', session: { sessionRef: refOf('cs_1') } },
      },
    })
  })

  it('with a session is not released by time, whatever the time is', () => {
    for (const time of [later, muchLater, '2126-03-03T09:12:00.000Z']) {
      const stream = given(billingDecider, checkoutStarted, sessionOpened)
      for (const checkouts of [[], [session('open')]]) {
        expect(stream.when(start('checkout_2', monthly, time, { checkouts }))).toEqual([])
        expect(stream.when(start('checkout_2', annual, time, { checkouts }))).toMatchObject({
          refused: { kind: 'other-checkout-open' },
        })
      }
    }
  })

  it('starts after the provider expired the earlier session, and records the expiry', () => {
    expect(
      given(billingDecider, checkoutStarted, sessionOpened).when(
        start('checkout_2', monthly, later, { checkouts: [session('expired')] }),
      ),
    ).toEqual([
      { type: 'CheckoutExpired', data: { checkoutId: 'checkout_1' } },
      started('checkout_2', '2026-04-03T09:22:00.000Z'),
    ])
  })

  it('is not released by the expiry of a session that is not the recorded session', () => {
    const checkouts = [session('expired', 'checkout_1', refOf('cs_0')), session('open')]
    expect(
      given(billingDecider, checkoutStarted, sessionOpened).when(
        start('checkout_2', monthly, at, { checkouts }),
      ),
    ).toEqual([])
  })

  it('without a session lapses after ten minutes, not before', () => {
    const stream = given(billingDecider, checkoutStarted)
    expect(stream.when(start('checkout_2', monthly, '2026-03-03T09:21:59.999Z'))).toEqual([])
    expect(stream.when(start('checkout_2', annual, '2026-03-03T09:21:59.999Z'))).toMatchObject({
      refused: { kind: 'other-checkout-open', open: { session: null } },
    })
    expect(stream.when(start('checkout_2', annual, lapsesAt))).toEqual([
      { type: 'CheckoutExpired', data: { checkoutId: 'checkout_1' } },
      started('checkout_2', '2026-03-03T09:32:00.000Z', annual),
    ])
  })

  it('whose session was created but not recorded continues with the session of the provider', () => {
    expect(
      given(billingDecider, checkoutStarted).when(
        start('checkout_2', monthly, muchLater, { checkouts: [session('open')] }),
      ),
    ).toEqual([sessionOpened])
  })

  it('is refused while the provider has an open session of another checkout', () => {
    const orphan = session('open', 'checkout_0', refOf('cs_0'))
    const expected = { refused: { kind: 'sessions-left-open', sessions: [orphan] } }
    const checkouts = [orphan]
    expect(given(billingDecider).when(start('checkout_1', monthly, at, { checkouts }))).toEqual(
      expected,
    )
    expect(
      given(billingDecider, checkoutStarted, sessionOpened).when(
        start('checkout_2', monthly, at, { checkouts: [orphan, session('open')] }),
      ),
    ).toEqual(expected)
  })

  it('records a payment that no webhook reported, and does not start', () => {
    const facts = given(billingDecider, checkoutStarted, sessionOpened).when(
      start('checkout_2', monthly, later, paid),
    ) as BillingEvent[]
    expect(facts.map(({ type }) => type)).toEqual([
      'CheckoutCompleted',
      'SubscriptionStarted',
      'PaymentSucceeded',
    ])
    expect(
      given(billingDecider, checkoutStarted, sessionOpened, ...facts).when(
        start('checkout_2', monthly, later, paid),
      ),
    ).toEqual({ refused: { kind: 'already-subscribed' } })
  })

  it('does not start with the answer that reports the completion of the earlier checkout', () => {
    const complete = { checkouts: [session('complete')] }
    expect(
      given(billingDecider, checkoutStarted, sessionOpened).when(
        start('checkout_2', monthly, later, complete),
      ),
    ).toEqual([
      { type: 'CheckoutCompleted', data: { checkoutId: 'checkout_1', sessionRef: refOf('cs_1') } },
    ])
  })

  it('starts if the subscription ended and no webhook reported the end', () => {
    expect(
      whenAfter(
        [start(), record(paid)],
        start('checkout_2', monthly, muchLater, { subscriptions: [ended('canceled')] }),
      ),
    ).toMatchObject([{ type: 'SubscriptionEnded' }, { type: 'CheckoutStarted' }])
  })

  it('never starts twice under one id: the id is an idempotency key', () => {
    const failed: BillingEvent = {
      type: 'CheckoutFailed',
      data: { checkoutId: 'checkout_1', reason: 'The price is inactive.' },
    }
    expect(given(billingDecider, checkoutStarted, failed).when(start('checkout_1'))).toEqual([])
  })

  it('that the provider refuses fails, and the next checkout has the terms of its click', () => {
    const fail = (sessionRef: ProviderRef | null): BillingCommand => ({
      type: 'fail-checkout',
      checkoutId: parseCheckoutId('checkout_1'),
      sessionRef,
      reason: 'The price is inactive.',
      at,
    })
    const events = after(start(), fail(null))
    expect(events.slice(1)).toMatchObject([
      {
        type: 'CheckoutFailed',
        data: { checkoutId: 'checkout_1', reason: 'The price is inactive.' },
      },
    ])
    const current = { ...monthly, priceRef: refOf('price_of_today') } as const
    expect(given(billingDecider, ...events).when(start('checkout_2', current))).toEqual([
      started('checkout_2', lapsesAt, current),
    ])
    // Another click opened a session meanwhile.
    expect(given(billingDecider, checkoutStarted, sessionOpened).when(fail(null))).toEqual([])
  })

  it('is refused while a subscription is active, trialing, past due, unpaid or paused', () => {
    const paused = { ...subscription, pause: { resumesAt: null } }
    const live = (['active', 'trialing', 'past_due', 'unpaid'] as const).map((status) => ({
      ...subscription,
      status,
    }))
    for (const each of [...live, paused]) {
      const events = after(start(), record({ ...paid, subscriptions: [each] }))
      expect(given(billingDecider, ...events).when(start('checkout_2'))).toEqual({
        refused: { kind: 'already-subscribed' },
      })
    }
  })

  it('starts after the earlier subscription has ended', () => {
    const ending = record({ subscriptions: [ended('canceled')] }, later)
    expect(
      whenAfter([start(), record(paid), ending], start('checkout_2', monthly, muchLater)),
    ).toEqual([started('checkout_2', '2026-05-03T09:22:00.000Z')])
  })
})

describe('a customer at the provider', () => {
  const link = (customerRef: ProviderRef, replaces: ProviderRef | null): BillingCommand => ({
    type: 'link-customer',
    customerRef,
    replaces,
    at,
  })

  it('is linked once, and replaced only if it is the customer that was deleted', () => {
    expect(whenAfter([link(refOf('cus_1'), null)], link(refOf('cus_2'), null))).toEqual([])
    expect(whenAfter([link(refOf('cus_1'), null)], link(refOf('cus_2'), refOf('cus_0')))).toEqual(
      [],
    )
    expect(whenAfter([link(refOf('cus_1'), null)], link(refOf('cus_1'), refOf('cus_1')))).toEqual(
      [],
    )
    const events = after(
      link(refOf('cus_1'), null),
      link(refOf('cus_2'), refOf('cus_1')),
      link(refOf('cus_3'), refOf('cus_1')),
    )
    const { state } = given(billingDecider, ...events)
    expect([state.customerRef, state.formerCustomerRefs]).toEqual([
      refOf('cus_2'),
      [refOf('cus_1')],
    ])
  })
})

describe("the provider's state", () => {
  it('after a paid checkout is recorded as completion, subscription and payment', () => {
    const events = after(start(), record(paid))
    expect(events.map((event) => event.type)).toEqual([
      'CheckoutStarted',
      'CheckoutCompleted',
      'SubscriptionStarted',
      'PaymentSucceeded',
    ])
    const { state } = given(billingDecider, ...events)
    expect([liveSubscriptions(state).length, state.openCheckout]).toEqual([1, null])
  })

  it('dates the end of a checkout by the event of the provider, not by a planned time', () => {
    const open = given(billingDecider, checkoutStarted, sessionOpened)
    const closed = '2026-03-03T11:30:00.000Z'
    const dated = (status: 'complete' | 'expired', isReported: boolean) => {
      const readings = isReported ? [{ at: closed, value: status }] : []
      const decision = open.decide(
        record(
          {
            checkouts: [session(status)],
            history: { ...noHistory, checkouts: new Map([[refOf('cs_1'), readings]]) },
          },
          muchLater,
        ),
      )
      return decision.kind === 'accepted' ? decision.events.map(({ occurredAt }) => occurredAt) : []
    }
    expect(dated('expired', true)).toEqual([closed])
    expect(dated('expired', false)).toEqual([muchLater])
    expect(dated('complete', true)).toEqual([closed])
    expect(dated('complete', false)).toEqual([muchLater])
  })

  it('dates the end of a checkout without an event by the subscription that it created', () => {
    const startedAt = '2026-03-03T11:31:00.000Z'
    const decision = given(billingDecider, checkoutStarted, sessionOpened).decide(
      record({ ...paid, subscriptions: [{ ...subscription, startedAt }] }, muchLater),
    )
    expect(decision).toMatchObject({
      events: [{ type: 'CheckoutCompleted', occurredAt: startedAt }, {}, {}],
    })
  })

  it("is recorded with the product's ids and in minor units", () => {
    expect(whenAfter([], record(paid))).toContainEqual({
      type: 'PaymentSucceeded',
      data: expect.objectContaining({
        paymentId: paymentIdOf(refOf('in_1')),
        subscriptionId: subscriptionIdOf(refOf('sub_1')),
        amounts: expect.objectContaining({ paid: 3900, currency: 'usd' }),
        periodEnd: later,
      }),
    })
  })

  it('with a new period is recorded as a renewal', () => {
    const renewed = { ...subscription, currentPeriodStart: later, currentPeriodEnd: muchLater }
    expect(whenAfter([record(paid)], record({ subscriptions: [renewed] }, later))).toEqual([
      {
        type: 'SubscriptionRenewed',
        data: {
          subscriptionId: subscriptionIdOf(refOf('sub_1')),
          currentPeriodStart: later,
          currentPeriodEnd: muchLater,
        },
      },
    ])
  })

  describe('with another plan', () => {
    const changed = { ...subscription, terms: annual }
    const seen = '2026-03-19T10:00:00.000Z'

    it('in the present period is recorded as a plan change at the time of the comparison', () => {
      expect(whenAfter([record(paid)], record({ subscriptions: [changed] }, seen))).toEqual([
        {
          type: 'PlanChanged',
          data: {
            subscriptionId: subscriptionIdOf(refOf('sub_1')),
            from: monthly,
            to: annual,
            effectiveAt: seen,
            currentPeriodStart: at,
            currentPeriodEnd: later,
            proration: null,
            prorationLines: [],
            isInferred: true,
          },
        },
      ])
    })

    it('and a new period is one plan change, effective from the start of the period', () => {
      const shortened = { ...changed, currentPeriodStart: seen, currentPeriodEnd: later }
      expect(
        whenAfter(
          [record({ ...paid, subscriptions: [{ ...subscription, currentPeriodEnd: latest }] })],
          record({ subscriptions: [shortened] }, latest),
        ),
      ).toMatchObject([
        {
          type: 'PlanChanged',
          data: { effectiveAt: seen, currentPeriodStart: seen, currentPeriodEnd: later },
        },
      ])
    })

    it('or another quantity is recorded once, also if it is seen twice', () => {
      const more = { ...subscription, terms: { ...monthly, quantity: 3 } }
      const commands = [
        record(paid),
        record({ subscriptions: [changed] }),
        record({ subscriptions: [subscription] }),
        record({ subscriptions: [more] }),
        record({ subscriptions: [more] }),
      ]
      const facts = after(...commands).filter(({ type }) => type === 'PlanChanged')
      expect(facts.map((event) => event.type === 'PlanChanged' && event.data.to)).toEqual([
        annual,
        monthly,
        { ...monthly, quantity: 3 },
      ])
    })

    it('of the same price is no plan change: only the product names plans', () => {
      const renamed = { ...subscription, terms: { ...monthly, planName: 'Starter' } }
      expect(whenAfter([record(paid)], record({ subscriptions: [renamed] }))).toEqual([])
    })

    it('after the end of the subscription changes nothing', () => {
      const commands = [record(paid), record({ subscriptions: [ended('canceled')] })]
      expect(whenAfter(commands, record({ subscriptions: [changed] }))).toEqual([])
    })
  })

  it('with a cancellation that is scheduled, withdrawn and scheduled again is three facts', () => {
    const cancelling = record({ subscriptions: [{ ...subscription, cancelAt: later }] })
    const keeping = record({ subscriptions: [subscription] })
    const facts = after(record(paid), cancelling, keeping, cancelling).slice(2) as {
      type: string
      fact?: string
    }[]
    expect(facts.map((fact) => fact.type)).toEqual([
      'CancellationScheduled',
      'CancellationWithdrawn',
      'CancellationScheduled',
    ])
    expect(new Set(facts.map((fact) => fact.fact)).size).toBe(3)
  })

  it('with failed attempts and a payment is recorded as one event per attempt and payment', () => {
    const failing = (attempt: number): BillingCommand =>
      record({
        invoices: [
          {
            ...invoice,
            failures: [
              {
                at,
                attempt,
                reason: 'Your card was declined.',
                code: 'generic_decline',
                method: null,
                nextAttemptAt: later,
              },
            ],
            outcome: { kind: 'open' },
          },
        ],
      })
    const events = after(
      failing(1),
      failing(1),
      failing(2),
      record({ invoices: [invoice] }),
      failing(2),
    )
    expect(events.map((event) => event.type)).toEqual([
      'PaymentFailed',
      'PaymentFailed',
      'PaymentSucceeded',
    ])
  })

  it('that reports an ended subscription as active records nothing', () => {
    const ending = record({ subscriptions: [ended('unpaid')] }, later)
    expect(whenAfter([record(paid), ending], record({ subscriptions: [subscription] }))).toEqual([])
  })

  it('with the expiry of a recorded subscription before its first payment is recorded as its end', () => {
    const incomplete = { ...subscription, status: 'incomplete' } as const
    expect(
      whenAfter(
        [record({ subscriptions: [incomplete] })],
        record({ subscriptions: [ended('expired')] }),
      ),
    ).toMatchObject([{ type: 'SubscriptionEnded', data: { why: 'expired' } }])
  })

  it('with a subscription that expired before its first payment changes nothing', () => {
    expect(given(billingDecider).when(record({ subscriptions: [ended('expired')] }))).toEqual([])
  })
})

const commands = fc.oneof(
  fc.constantFrom(
    start('checkout_1'),
    start('checkout_2', annual),
    start('checkout_3', monthly, muchLater),
    start('checkout_4', annual, latest, { checkouts: [session('expired')] }),
  ),
  fc
    .record({
      status: fc.constantFrom(
        'active' as const,
        'past_due' as const,
        'unpaid' as const,
        'canceled' as const,
        'expired' as const,
      ),
      periodEnd: fc.constantFrom(later, muchLater, latest),
      isCancelling: fc.boolean(),
      attempt: fc.integer({ min: 0, max: 4 }),
    })
    .map(({ status, periodEnd, isCancelling, attempt }): BillingCommand =>
      record({
        subscriptions: [
          {
            ...(status === 'canceled' || status === 'expired'
              ? ended(status)
              : { ...subscription, status, cancelAt: isCancelling ? later : null }),
            currentPeriodEnd: periodEnd,
          },
        ],
        invoices: [
          {
            ...invoice,
            failures: attempt === 0 ? [] : [{ ...failedAttempt, at, attempt }],
            outcome: attempt === 0 ? { kind: 'paid', at } : { kind: 'open' },
          },
        ],
      }),
    ),
)

describe('after any history of a billing stream', () => {
  it('a repeated provider state records nothing', () => {
    fc.assert(
      fc.property(fc.array(commands, { maxLength: 12 }), commands, (history, command) => {
        const events = after(...history, command)
        if (command.type !== 'reconcile') return
        expect(given(billingDecider, ...events).when(command)).toEqual([])
      }),
    )
  })

  it('an invoice is paid at most once, and each fact is recorded at most once', () => {
    fc.assert(
      fc.property(fc.array(commands, { maxLength: 20 }), (history) => {
        const events = after(...history) as (BillingEvent & { fact?: string })[]
        const facts = events.flatMap((event) => (event.fact === undefined ? [] : [event.fact]))
        expect(new Set(facts).size).toBe(facts.length)
        expect(
          events.filter((event) => event.type === 'PaymentSucceeded').length,
        ).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('no checkout starts while a subscription is live', () => {
    fc.assert(
      fc.property(fc.array(commands, { maxLength: 20 }), (history) => {
        const events = after(...history)
        events.forEach((event, index) => {
          if (event.type !== 'CheckoutStarted') return
          expect(liveSubscriptions(given(billingDecider, ...events.slice(0, index)).state)).toEqual(
            [],
          )
        })
      }),
    )
  })
})
