import { describe, expect, it } from '@jest/globals'
import type { BillingEvent } from '#contracts/events/billing'
import type { RecordedEvent } from '#contracts/events/catalogue'
import {
  foldSubscriptions,
  noSubscriptions,
} from '#services/finance/subscriptions/fold-subscriptions'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { billing, observed, subscriptionStarted, type DataOf } from '../../support/data/events.ts'
import { changesOf, subscriptionChanges, utcDates } from '../../support/data/finance.ts'
import { month } from '../../support/data/finance-values.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'

const on = (date: string) => ({ occurredAt: `${date}T12:00:00.000Z` })
const { from: terms } = samplePayloads.PlanChanged
type Terms = typeof terms

function started(date: string, id: string, data: Partial<DataOf<'SubscriptionStarted'>> = {}) {
  return subscriptionStarted('usr_1', { subscriptionId: id, ...data }, on(date))
}

function ended(date: string, id: string, why: 'canceled' | 'blocked' | 'expired' = 'canceled') {
  const { occurredAt } = on(date)
  const data = { subscriptionId: id, why, endedAt: occurredAt }
  return billing('usr_1', { type: 'SubscriptionEnded', data }, { occurredAt })
}

function planChanged(date: string, id: string, to: Partial<Terms>, effectiveAt = date) {
  const data = {
    ...samplePayloads.PlanChanged,
    subscriptionId: id,
    to: { ...terms, ...to },
    effectiveAt: on(effectiveAt).occurredAt,
  }
  return billing('usr_1', { type: 'PlanChanged', data }, on(date))
}

type Status = DataOf<'SubscriptionStatusChanged'>['to']
function statusChanged(date: string, id: string, to: Status) {
  const data = { subscriptionId: id, from: 'active' as const, to, ...observed }
  return billing('usr_1', { type: 'SubscriptionStatusChanged', data }, on(date))
}

function paused(date: string, id: string) {
  const data = { subscriptionId: id, resumesAt: null, ...observed }
  return billing('usr_1', { type: 'SubscriptionPaused', data }, on(date))
}

function resumed(date: string, id: string) {
  const data = { subscriptionId: id, status: 'active' as const, ...observed }
  return billing('usr_1', { type: 'SubscriptionResumed', data }, on(date))
}

/** Each movement as `2026-03-01 new 3900 usd`. */
function movements(...events: readonly RecordedEvent<BillingEvent>[]) {
  return changesOf('mrr', subscriptionChanges(events)).map(
    ({ date, kind, amount, currency }) => `${date} ${kind} ${amount} ${currency}`,
  )
}

describe('the MRR of a customer', () => {
  it('is new at the first subscription, and churns at its end', () => {
    expect(movements(started('2026-03-01', 'a'), ended('2026-05-10', 'a'))).toEqual([
      '2026-03-01 new 3900 usd',
      '2026-05-10 churn -3900 usd',
    ])
  })

  it('reactivates with a later subscription', () => {
    expect(
      movements(started('2026-03-01', 'a'), ended('2026-05-10', 'a'), started('2026-06-01', 'b')),
    ).toContain('2026-06-01 reactivation 3900 usd')
  })

  it('expands by a second subscription, and contracts by the end of one of two', () => {
    expect(
      movements(
        started('2026-03-01', 'a'),
        started('2026-03-02', 'b', { quantity: 2 }),
        ended('2026-03-03', 'a'),
        ended('2026-03-04', 'b'),
      ),
    ).toEqual([
      '2026-03-01 new 3900 usd',
      '2026-03-02 expansion 7800 usd',
      '2026-03-03 contraction -3900 usd',
      '2026-03-04 churn -7800 usd',
    ])
  })

  it('follows price, quantity and interval of a plan change', () => {
    expect(
      movements(
        started('2026-03-01', 'a'),
        planChanged('2026-03-02', 'a', { quantity: 3 }),
        planChanged('2026-03-03', 'a', {
          price: { amount: 39_000, currency: 'usd' },
          interval: 'year',
        }),
        planChanged('2026-03-04', 'a', {
          planId: null,
          priceRef: refOf('price_legacy'),
          quantity: 1,
        }),
      ),
    ).toEqual([
      '2026-03-01 new 3900 usd',
      '2026-03-02 expansion 7800 usd',
      '2026-03-03 contraction -8450 usd',
      '2026-03-04 expansion 650 usd',
    ])
  })

  it('begins when a trial converts, and not when the trial begins', () => {
    expect(
      movements(
        started('2026-03-01', 'a', { status: 'trialing' }),
        planChanged('2026-03-05', 'a', { quantity: 2 }),
        statusChanged('2026-03-15', 'a', 'active'),
      ),
    ).toEqual(['2026-03-15 new 7800 usd'])
  })

  it('does not exist for a trial that ends unpaid', () => {
    expect(
      movements(started('2026-03-01', 'a', { status: 'trialing' }), ended('2026-03-15', 'a')),
    ).toEqual([])
  })

  it('churns at a pause, and reactivates with the terms at the end of the pause', () => {
    expect(
      movements(
        started('2026-03-01', 'a'),
        paused('2026-03-10', 'a'),
        planChanged('2026-03-20', 'a', { quantity: 2 }),
        resumed('2026-04-10', 'a'),
      ),
    ).toEqual([
      '2026-03-01 new 3900 usd',
      '2026-03-10 churn -3900 usd',
      '2026-04-10 reactivation 7800 usd',
    ])
  })

  it('stays while a payment is past due, and churns when the subscription is unpaid', () => {
    expect(
      movements(
        started('2026-03-01', 'a'),
        statusChanged('2026-04-01', 'a', 'past_due'),
        statusChanged('2026-04-20', 'a', 'unpaid'),
        ended('2026-05-01', 'a'),
      ),
    ).toEqual(['2026-03-01 new 3900 usd', '2026-04-20 churn -3900 usd'])
  })

  it('churns when the account is blocked', () => {
    expect(movements(started('2026-03-01', 'a'), ended('2026-03-08', 'a', 'blocked'))).toContain(
      '2026-03-08 churn -3900 usd',
    )
  })

  it('is counted per currency: another currency is new there and churn here', () => {
    const euro = { price: { amount: 3500, currency: 'eur' } }
    const changes = subscriptionChanges([
      started('2026-03-01', 'a'),
      planChanged('2026-04-01', 'a', euro),
      ended('2026-05-01', 'a'),
      started('2026-06-01', 'b', euro),
    ])
    expect(
      changesOf('mrr', changes).map(
        ({ kind, amount, currency }) => `${kind} ${amount} ${currency}`,
      ),
    ).toEqual([
      'new 3900 usd',
      'new 3500 eur',
      'churn -3900 usd',
      'churn -3500 eur',
      'reactivation 3500 eur',
    ])
    // The customer changed the currency and did not leave.
    expect(changesOf('paying', changes).map(({ date, paying }) => `${date} ${paying}`)).toEqual([
      '2026-03-01 1',
      '2026-05-01 -1',
      '2026-06-01 1',
    ])
  })

  it('changes when a planned change happens, and not before', () => {
    const { subscriptionId: _, ...planned } = samplePayloads.PlanChangeScheduled
    const soon = { subscriptionId: 'a', effectiveAt: '2026-05-01T12:00:00.000Z', ...observed }
    expect(
      movements(
        started('2026-03-01', 'a'),
        billing(
          'usr_1',
          { type: 'PlanChangeScheduled', data: { ...planned, subscriptionId: 'a' } },
          on('2026-03-02'),
        ),
        billing('usr_1', { type: 'CancellationScheduled', data: soon }, on('2026-03-03')),
      ),
    ).toEqual(['2026-03-01 new 3900 usd'])
  })

  it('counts a plan change from the day on which it takes effect', () => {
    expect(
      movements(
        started('2026-03-01', 'a'),
        planChanged('2026-03-20', 'a', { quantity: 2 }, '2026-04-01'),
      ),
    ).toContain('2026-04-01 expansion 3900 usd')
  })

  it('does not go back: a change that is known late counts from the last change', () => {
    expect(
      movements(
        started('2026-03-01', 'a'),
        planChanged('2026-04-10', 'a', { quantity: 3 }),
        planChanged('2026-03-20', 'a', { quantity: 2 }),
      ),
    ).toEqual([
      '2026-03-01 new 3900 usd',
      '2026-04-10 expansion 7800 usd',
      '2026-04-10 expansion -3900 usd',
    ])
  })

  it('does not change after the end of the subscription', () => {
    expect(
      movements(
        started('2026-03-01', 'a'),
        ended('2026-03-10', 'a'),
        resumed('2026-03-11', 'a'),
        planChanged('2026-03-12', 'a', { quantity: 9 }),
        statusChanged('2026-03-13', 'a', 'active'),
        started('2026-03-14', 'a'),
        ended('2026-03-15', 'a'),
      ),
    ).toHaveLength(2)
  })
})

describe('the changes of one day are one movement', () => {
  const sums = (...events: readonly RecordedEvent<BillingEvent>[]) => {
    const totals = new Map<string, number>()
    for (const { date, kind, amount } of changesOf('mrr', subscriptionChanges(events)))
      totals.set(`${date} ${kind}`, (totals.get(`${date} ${kind}`) ?? 0) + amount)
    return Object.fromEntries([...totals].filter(([, amount]) => amount !== 0))
  }
  const end = ended('2026-05-10', 'a')
  const start = started('2026-05-10', 'b', { quantity: 2 })
  const history = [started('2026-03-01', 'a')]

  it.each([
    ['first', [...history, end, start]],
    ['last', [...history, start, end]],
  ])('when a subscription is replaced and its end is recorded %s', (_, events) => {
    expect(sums(...events)).toEqual({ '2026-03-01 new': 3900, '2026-05-10 expansion': 3900 })
  })

  it('when a subscription ends on its first day: no movement, and no cohort', () => {
    const changes = subscriptionChanges([
      started('2026-05-10', 'a'),
      ended('2026-05-10', 'a'),
      started('2026-07-01', 'b'),
    ])
    const inJuly = changes.filter(({ date }) => date === '2026-07-01')
    expect(changesOf('mrr', inJuly)).toMatchObject([{ kind: 'new', amount: 3900 }])
    expect(changesOf('paying', changes)).toMatchObject([
      { cohort: '2026-05', paying: 1, joined: 1 },
      { cohort: '2026-05', paying: -1, joined: -1 },
      { cohort: '2026-07', paying: 1, joined: 1 },
    ])
  })

  it('and each correction names the event that causes it', () => {
    const changes = changesOf('mrr', subscriptionChanges([...history, end, start]))
    expect(changes.map(({ kind, amount, eventId }) => [kind, amount, eventId])).toEqual([
      ['new', 3900, history[0]?.id],
      ['churn', -3900, end.id],
      ['churn', 3900, start.id],
      ['expansion', 3900, start.id],
    ])
  })
})

describe('a change of a closed month', () => {
  it('counts on the first day of the first open month, and names the month', () => {
    const state = noSubscriptions()
    const fold = (event: RecordedEvent<BillingEvent>, closed: string | null) =>
      foldSubscriptions(state, event, utcDates(closed === null ? null : month(closed)))
    fold(started('2026-03-01', 'a'), null)
    expect(fold(ended('2026-03-20', 'a'), '2026-04')).toMatchObject([
      { type: 'status', date: '2026-05-01', adjusts: '2026-03', from: 'active', to: null },
      { type: 'mrr', date: '2026-05-01', adjusts: '2026-03', kind: 'churn', amount: -3900 },
      { type: 'paying', date: '2026-05-01', adjusts: '2026-03', cohort: '2026-03', joined: 0 },
    ])
  })

  it('is no part of the movement of the open month on the same day', () => {
    const state = noSubscriptions()
    const fold = (event: RecordedEvent<BillingEvent>) =>
      foldSubscriptions(state, event, utcDates(month('2026-04')))
    fold(started('2026-03-20', 'a'))
    const [, movement] = fold(ended('2026-05-01', 'a'))
    expect(movement).toMatchObject({ kind: 'churn', amount: -3900, adjusts: null })
  })
})

describe('an event of an unknown subscription', () => {
  it('is an error that names the subscription', () => {
    expect(() => subscriptionChanges([ended('2026-03-01', 'a')])).toThrow(
      'is about a, and the log has no earlier event that records a',
    )
  })
})
