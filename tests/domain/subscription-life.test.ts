import { describe, expect, it } from '@jest/globals'
import type { BillingEvent } from '#contracts/events/billing'
import type { ProviderRef } from '#contracts/events/provider-ref'
import { planById } from '#contracts/plans'
import { billingDecider } from '#services/billing/billing-decider'
import { liveSubscriptions } from '#services/billing/billing-state'
import { stateOfNewCustomer } from '#services/billing/new-customer'
import { termsOf } from '#services/payments/plan-prices'
import { noChanges, noHistory, type SubscriptionHistory } from '#services/payments/provider-change'
import type { ProviderSubscription } from '#services/payments/provider-state'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { given } from '../support/data/given.ts'
import { providerInvoice } from '../support/data/provider-invoice.ts'
import {
  endedProviderSubscription,
  providerSubscription,
} from '../support/data/provider-subscription.ts'

const change = '2026-03-19T10:00:00.000Z'
const seenAt = '2026-03-19T10:05:00.000Z'
const periodEnd = '2026-04-03T09:12:00.000Z'
const monthly = termsOf(planById('monthly'), refOf('price_monthly'))
const annual = termsOf(planById('annual'), refOf('price_annual'))

const running = providerSubscription
const ended = endedProviderSubscription()

interface Explained {
  readonly seen: ProviderSubscription
  readonly history: Partial<SubscriptionHistory>
}
type Answer = ProviderSubscription | Explained

/** The events after SubscriptionStarted that these answers of the provider add in turn. */
function after(...answers: readonly Answer[]): readonly BillingEvent[] {
  return [running, ...answers]
    .reduce<BillingEvent[]>((events, answer) => {
      const { seen, history } = 'seen' in answer ? answer : { seen: answer, history: {} }
      const subscriptions = new Map([[seen.subscriptionRef, { ...noChanges, ...history }]])
      const providerState = {
        ...stateOfNewCustomer,
        subscriptions: [seen],
        history: { ...noHistory, subscriptions },
      }
      const decision = given(billingDecider, ...events).decide({
        type: 'reconcile',
        providerState,
        at: seenAt,
      })
      return decision.kind === 'accepted' ? [...events, ...decision.events] : events
    }, [])
    .slice(1)
}
const typesAfter = (...answers: readonly Answer[]) => after(...answers).map(({ type }) => type)

describe('a lasting deduction', () => {
  const discounts = [{ kind: 'share' as const, millionths: 200_000 }]
  const discounted = {
    ...running,
    deductions: { discounts, includedTax: 0 },
    discountedAt: '2026-03-10T08:00:00.000Z',
  }
  const taxed = { ...running, deductions: { discounts: [], includedTax: 190_000 } }

  it('counts from the day of its coupon, and its removal from the day on which it is seen', () => {
    expect(after(discounted, discounted, running)).toMatchObject([
      {
        type: 'RecurringDeductionsChanged',
        data: { discounts, changedAt: discounted.discountedAt, isInferred: false },
      },
      {
        type: 'RecurringDeductionsChanged',
        data: { discounts: [], includedTax: 0, changedAt: seenAt, isInferred: true },
      },
    ])
  })

  it('that the subscription began with counts from its start', () => {
    const first = (seen: ProviderSubscription) =>
      given(billingDecider).when({
        type: 'reconcile',
        providerState: { ...stateOfNewCustomer, subscriptions: [seen] },
        at: seenAt,
      })
    expect(first(taxed)).toMatchObject([
      { type: 'SubscriptionStarted' },
      { type: 'RecurringDeductionsChanged', data: { changedAt: running.startedAt } },
    ])
    expect(first(running)).toMatchObject([{ type: 'SubscriptionStarted' }])
  })

  it('can come again', () => {
    expect(typesAfter(taxed, running, taxed)).toEqual([
      'RecurringDeductionsChanged',
      'RecurringDeductionsChanged',
      'RecurringDeductionsChanged',
    ])
  })
})

describe('a pause', () => {
  const paused = { ...running, pause: { resumesAt: null } }

  it('is one fact, and its end is another', () => {
    expect(after(paused, paused, running)).toMatchObject([
      { type: 'SubscriptionPaused', data: { resumesAt: null } },
      { type: 'SubscriptionResumed', data: { status: 'active' } },
    ])
  })

  it('with another planned end is recorded again', () => {
    const until = { ...running, pause: { resumesAt: periodEnd } }
    expect(typesAfter(paused, until, paused)).toEqual([
      'SubscriptionPaused',
      'SubscriptionPaused',
      'SubscriptionPaused',
    ])
  })

  it('of a subscription that is first seen paused is recorded after its start', () => {
    const first = given(billingDecider).when({
      type: 'reconcile',
      providerState: { ...stateOfNewCustomer, subscriptions: [paused] },
      at: seenAt,
    })
    expect(first).toMatchObject([
      { type: 'SubscriptionStarted', data: { status: 'active' } },
      { type: 'SubscriptionPaused' },
    ])
  })

  it('keeps the subscription live: it still blocks a second subscription', () => {
    const { state } = given(
      billingDecider,
      ...(given(billingDecider).when({
        type: 'reconcile',
        providerState: { ...stateOfNewCustomer, subscriptions: [paused] },
        at: seenAt,
      }) as BillingEvent[]),
    )
    expect(liveSubscriptions(state)).toHaveLength(1)
  })
})

describe('a planned plan change', () => {
  const planned = { ...running, plannedChange: { terms: annual, effectiveAt: periodEnd } }

  it('is scheduled once, and dropped when the provider no longer has it', () => {
    expect(after(planned, planned, running, running)).toMatchObject([
      { type: 'PlanChangeScheduled', data: { from: monthly, to: annual, effectiveAt: periodEnd } },
      { type: 'PlanChangeDropped' },
    ])
  })

  it('is scheduled again with another plan or another date', () => {
    const more = { ...annual, quantity: 2 }
    const other = { ...running, plannedChange: { terms: more, effectiveAt: periodEnd } }
    expect(typesAfter(planned, other, planned)).toEqual([
      'PlanChangeScheduled',
      'PlanChangeScheduled',
      'PlanChangeScheduled',
    ])
  })

  it('that takes effect is a plan change and not dropped', () => {
    const changed = {
      ...running,
      terms: annual,
      currentPeriodStart: periodEnd,
      currentPeriodEnd: '2027-04-03T09:12:00.000Z',
    }
    expect(after(planned, changed, changed).slice(1)).toMatchObject([
      { type: 'PlanChanged', data: { to: annual, effectiveAt: periodEnd, proration: null } },
    ])
  })

  it('stays planned if another change happens first', () => {
    const more = { ...monthly, quantity: 2 }
    expect(typesAfter(planned, { ...planned, terms: more }, planned)).toEqual([
      'PlanChangeScheduled',
      'PlanChanged',
      'PlanChanged',
    ])
  })

  it('to the present price is no plan change', () => {
    const same = { ...running, plannedChange: { terms: monthly, effectiveAt: periodEnd } }
    expect(typesAfter(same, same)).toEqual([])
    expect(typesAfter(planned, same)).toEqual(['PlanChangeScheduled', 'PlanChangeDropped'])
  })

  it('ends with the subscription without a fact of its own', () => {
    expect(typesAfter({ ...planned, cancelAt: periodEnd }, ended)).toEqual([
      'PlanChangeScheduled',
      'CancellationScheduled',
      'SubscriptionEnded',
    ])
  })
})

/** A proration line of these terms: a credit is negative. */
const line = (
  ref: ProviderRef,
  at: string,
  amount: number,
  { priceRef, quantity }: typeof monthly,
) => ({
  ref,
  at,
  amount,
  priceRef,
  quantity,
})

describe('a plan change with proration lines', () => {
  const lines = [
    line(refOf('ii_1'), change, -2000, monthly),
    line(refOf('ii_2'), change, 18_400, annual),
  ]
  const changed = { ...running, terms: annual, prorations: lines }

  it('has the sum of the lines, and the time of the lines', () => {
    expect(after(changed, changed)).toMatchObject([
      {
        type: 'PlanChanged',
        data: { effectiveAt: change, proration: { amount: 16_400, currency: 'usd' } },
      },
    ])
  })

  it('has only the lines that an earlier change has not recorded', () => {
    const back = {
      ...running,
      prorations: [
        ...lines,
        line(refOf('ii_3'), seenAt, -18_000, annual),
        line(refOf('ii_4'), seenAt, 1_900, monthly),
      ],
    }
    expect(after(changed, back)).toMatchObject([
      { type: 'PlanChanged' },
      {
        type: 'PlanChanged',
        data: { effectiveAt: seenAt, proration: { amount: -16_100, currency: 'usd' } },
      },
    ])
  })

  it('of the same second as the earlier change has its own lines', () => {
    const back = {
      ...running,
      prorations: [...lines, line(refOf('ii_3'), change, -16_400, annual)],
    }
    expect(after(changed, back)).toMatchObject([
      { type: 'PlanChanged' },
      { type: 'PlanChanged', data: { effectiveAt: change, proration: { amount: -16_400 } } },
    ])
  })

  it('is followed by a change without lines, which has no proration', () => {
    const back = { ...running, prorations: lines }
    expect(after(changed, back)).toMatchObject([
      { type: 'PlanChanged' },
      { type: 'PlanChanged', data: { effectiveAt: seenAt, proration: null } },
    ])
  })
})

describe('plan changes between two answers', () => {
  const [first, second] = ['2026-03-10T08:00:00.000Z', '2026-03-12T08:00:00.000Z']
  const step = (at: string, from: typeof monthly, to: typeof monthly) => ({
    at,
    from: { ...running, terms: from },
    to: { ...running, terms: to },
  })
  const double = { ...monthly, quantity: 2 }
  const steps = [step(first, monthly, double), step(second, double, annual)]

  it('are recorded one by one, as the events of the provider report them', () => {
    const seen = {
      ...running,
      terms: annual,
      prorations: [
        line(refOf('ii_1'), first, 2000, double),
        line(refOf('ii_2'), second, 9000, annual),
      ],
    }
    expect(after({ seen, history: { plan: steps } }, seen)).toMatchObject([
      {
        type: 'PlanChanged',
        data: { to: double, effectiveAt: first, proration: { amount: 2000 }, isInferred: false },
      },
      {
        type: 'PlanChanged',
        data: { from: double, to: annual, effectiveAt: second, proration: { amount: 9000 } },
      },
    ])
  })

  it('of one second have the lines of their own prices', () => {
    const same = [step(first, monthly, double), step(first, double, annual)]
    const seen = {
      ...running,
      terms: annual,
      // The provider lists both credits before both charges.
      prorations: [
        line(refOf('ii_1'), first, -2000, monthly),
        line(refOf('ii_3'), first, -3900, double),
        line(refOf('ii_2'), first, 3900, double),
        line(refOf('ii_4'), first, 18_000, annual),
      ],
    }
    expect(after({ seen, history: { plan: same } }, seen)).toMatchObject([
      {
        type: 'PlanChanged',
        data: {
          to: double,
          proration: { amount: 1900 },
          prorationLines: [refOf('ii_1'), refOf('ii_2')],
        },
      },
      {
        type: 'PlanChanged',
        data: {
          to: annual,
          proration: { amount: 14_100 },
          prorationLines: [refOf('ii_3'), refOf('ii_4')],
        },
      },
    ])
  })

  it('there and back in one second have their own lines, also if they repeat', () => {
    const round = () => [step(first, monthly, annual), step(first, annual, monthly)]
    const lines = (from: number) => [
      line(refOf(`ii_${from}`), first, -2000, monthly),
      line(refOf(`ii_${from + 1}`), first, 18_000, annual),
      line(refOf(`ii_${from + 2}`), first, -18_000, annual),
      line(refOf(`ii_${from + 3}`), first, 2000, monthly),
    ]
    const seen = { ...running, prorations: [...lines(1), ...lines(5)] }
    expect(after({ seen, history: { plan: [...round(), ...round()] } }, seen)).toMatchObject(
      [16_000, -16_000, 16_000, -16_000].map((amount) => ({
        type: 'PlanChanged',
        data: { proration: { amount } },
      })),
    )
  })

  it('seen one after the other have their own lines', () => {
    const lines = [
      line(refOf('ii_1'), first, -2000, monthly),
      line(refOf('ii_2'), first, 3900, double),
    ]
    const middle = { ...running, terms: double, prorations: lines }
    const seen = {
      ...running,
      terms: annual,
      prorations: [
        ...lines,
        line(refOf('ii_3'), first, -3900, double),
        line(refOf('ii_4'), first, 18_000, annual),
      ],
    }
    const steps = [step(first, monthly, double), step(first, double, annual)]
    expect(
      after(
        { seen: middle, history: { plan: steps.slice(0, 1) } },
        { seen, history: { plan: steps } },
      ),
    ).toMatchObject([
      { type: 'PlanChanged', data: { proration: { amount: 1900 } } },
      { type: 'PlanChanged', data: { proration: { amount: 14_100 } } },
    ])
  })

  it('do not take the credit of a planned end', () => {
    const end = { cancelAt: second, prorations: [line(refOf('ii_9'), second, -1200, monthly)] }
    expect(typesAfter({ ...running, ...end })).toEqual(['CancellationScheduled'])
    const changed = {
      ...running,
      ...end,
      terms: annual,
      prorations: [...end.prorations, line(refOf('ii_2'), change, 16_000, annual)],
    }
    expect(after({ ...running, ...end }, changed)).toMatchObject([
      { type: 'CancellationScheduled' },
      {
        type: 'PlanChanged',
        data: { proration: { amount: 16_000 }, prorationLines: [refOf('ii_2')] },
      },
    ])
  })

  it('that lead back to the known plan are recorded, because their prorations show them', () => {
    const back = [step(first, monthly, double), step(second, double, monthly)]
    const prorations = [
      line(refOf('ii_1'), first, 2000, double),
      line(refOf('ii_2'), second, -1900, double),
    ]
    expect(typesAfter({ seen: { ...running, prorations }, history: { plan: back } })).toEqual([
      'PlanChanged',
      'PlanChanged',
    ])
  })

  it('are one net change if the events do not lead to the present plan', () => {
    const seen = { ...running, terms: annual }
    expect(after({ seen, history: { plan: steps.slice(1) } })).toMatchObject([
      { type: 'PlanChanged', data: { from: monthly, to: annual, isInferred: true } },
    ])
  })

  it('are followed by the renewal that happened after them', () => {
    const renewed = {
      ...running,
      terms: annual,
      currentPeriodStart: periodEnd,
      currentPeriodEnd: '2027-04-03T09:12:00.000Z',
    }
    expect(typesAfter({ seen: renewed, history: { plan: steps } })).toEqual([
      'PlanChanged',
      'PlanChanged',
      'SubscriptionRenewed',
    ])
  })
})

describe('a cancellation that takes effect', () => {
  it('is the end of the subscription, not a withdrawn cancellation', () => {
    expect(typesAfter({ ...running, cancelAt: periodEnd }, ended, ended)).toEqual([
      'CancellationScheduled',
      'SubscriptionEnded',
    ])
  })
})

describe('a change that was reverted between two answers', () => {
  const [first, second, third] = [
    '2026-03-10T08:00:00.000Z',
    '2026-03-12T08:00:00.000Z',
    '2026-03-14T08:00:00.000Z',
  ] as const
  const explained = (history: Partial<SubscriptionHistory>): Explained => ({
    seen: running,
    history,
  })
  const cancellation = [
    { at: first, from: null, to: periodEnd },
    { at: second, from: periodEnd, to: null },
  ]

  it('is recorded with both times: a cancellation and its withdrawal', () => {
    expect(after(explained({ cancellation }))).toMatchObject([
      {
        type: 'CancellationScheduled',
        occurredAt: first,
        data: { effectiveAt: periodEnd, changedAt: first, isInferred: false },
      },
      {
        type: 'CancellationWithdrawn',
        occurredAt: second,
        data: { changedAt: second, isInferred: false },
      },
    ])
  })

  it('is recorded once, however often the events are read', () => {
    const again = explained({ cancellation })
    expect(typesAfter(again, again, again)).toEqual([
      'CancellationScheduled',
      'CancellationWithdrawn',
    ])
  })

  it('is recorded with the others in the order of time: a pause within a cancellation', () => {
    const active = { status: 'active' as const, resumesAt: null }
    const paused = { status: 'paused' as const, resumesAt: null }
    const standing = [
      { at: '2026-03-11T08:00:00.000Z', from: active, to: paused },
      { at: third, from: paused, to: active },
    ]
    expect(typesAfter(explained({ cancellation, standing }))).toEqual([
      'CancellationScheduled',
      'SubscriptionPaused',
      'CancellationWithdrawn',
      'SubscriptionResumed',
    ])
  })

  it('can be a failed renewal that recovered', () => {
    const active = { status: 'active' as const, resumesAt: null }
    const pastDue = { status: 'past_due' as const, resumesAt: null }
    const standing = [
      { at: first, from: active, to: pastDue },
      { at: second, from: pastDue, to: active },
    ]
    expect(after(explained({ standing }))).toMatchObject([
      { type: 'SubscriptionStatusChanged', data: { from: 'active', to: 'past_due' } },
      { type: 'SubscriptionStatusChanged', data: { from: 'past_due', to: 'active' } },
    ])
  })

  it('can be a planned plan change that was dropped', () => {
    const planned = { terms: annual, effectiveAt: periodEnd }
    const plannedChange = [
      { at: first, from: null, to: planned },
      { at: second, from: planned, to: null },
    ]
    expect(after(explained({ plannedChange }))).toMatchObject([
      { type: 'PlanChangeScheduled', data: { to: annual, changedAt: first } },
      { type: 'PlanChangeDropped', data: { changedAt: second } },
    ])
  })

  it('that no event reports is dated by the synchronization, as inferred', () => {
    expect(after({ ...running, cancelAt: periodEnd })).toMatchObject([
      { type: 'CancellationScheduled', data: { changedAt: seenAt, isInferred: true } },
    ])
  })

  it('that is newer than the answer is left to the next answer', () => {
    const canceled = { ...running, cancelAt: periodEnd }
    expect(
      typesAfter({ seen: canceled, history: { cancellation } }, explained({ cancellation })),
    ).toEqual(['CancellationScheduled', 'CancellationWithdrawn'])
  })

  it('precedes the end of a subscription', () => {
    const seen = endedProviderSubscription()
    expect(typesAfter({ seen, history: { cancellation: cancellation.slice(0, 1) } })).toEqual([
      'CancellationScheduled',
      'SubscriptionEnded',
    ])
  })
})

describe('a subscription that is first seen in a later period', () => {
  it('started with the period of its first invoice, and was renewed', () => {
    const { currentPeriodEnd: end } = running
    const later = { currentPeriodStart: end, currentPeriodEnd: '2026-05-03T09:12:00.000Z' }
    const events = given(billingDecider).when({
      type: 'reconcile',
      providerState: {
        ...stateOfNewCustomer,
        subscriptions: [{ ...running, ...later }],
        invoices: [providerInvoice()],
      },
      at: seenAt,
    })
    expect(events).toMatchObject([
      { type: 'SubscriptionStarted', data: { currentPeriodEnd: end } },
      { type: 'SubscriptionRenewed', data: later },
      { type: 'PaymentSucceeded' },
    ])
  })
})

describe('a planned plan change that took effect between two answers', () => {
  it('is recorded as planned, and then as changed', () => {
    const planned = { terms: annual, effectiveAt: change }
    const newPeriod = { currentPeriodStart: change, currentPeriodEnd: '2027-03-19T10:00:00.000Z' }
    const seen = { ...running, terms: annual, ...newPeriod }
    const history = {
      plannedChange: [
        { at: '2026-03-10T08:00:00.000Z', from: null, to: planned },
        { at: change, from: planned, to: null },
      ],
      plan: [{ at: change, from: running, to: seen }],
    }
    expect(typesAfter({ seen, history }, seen)).toEqual(['PlanChangeScheduled', 'PlanChanged'])
  })
})
