import { describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { historyFromStripe, type HistoryEvent } from '#services/payments/stripe/from-stripe/history'
import { instantOf, refOf } from '#services/payments/stripe/from-stripe/references'
import { providerEventOf } from '#services/payments/stripe/provider-event-of'
import { stripeObject } from '../support/data/stripe-object.ts'
import { prices } from '../support/data/sandbox-prices.ts'

const noPrices = new Map<string, Stripe.Price>()
const at = 1_772_528_000

const subscription = await stripeObject<Stripe.Subscription>('subscription')
const schedule = await stripeObject<Stripe.SubscriptionSchedule>('schedule')
const refund = (await stripeObject<Stripe.Charge>('charge')).refunds!.data[0]!
const dispute = await stripeObject<Stripe.Dispute>('dispute')

/** An event of Stripe about `object`, which had `previous` in its changed fields. */
function eventOf(type: HistoryEvent['type'], object: object, previous?: object): HistoryEvent {
  return {
    id: 'evt_1',
    object: 'event',
    api_version: null,
    created: at,
    data: { object, ...(previous === undefined ? {} : { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: 0,
    request: null,
    type,
  } as unknown as HistoryEvent
}

const updated = (previous: object, after: object = {}) =>
  eventOf('customer.subscription.updated', { ...subscription, ...after }, previous)
const changesOf = (...events: readonly HistoryEvent[]) =>
  historyFromStripe(events, prices, noPrices).subscriptions.get(refOf(subscription.id))

describe('an event of a checkout session', () => {
  it('reports when the session was completed or closed', () => {
    const about = (type: HistoryEvent['type']) =>
      historyFromStripe([eventOf(type, { id: 'cs_1' })], prices, noPrices).checkouts
    expect(about('checkout.session.completed')).toEqual(
      new Map([[refOf('cs_1'), [{ at: instantOf(at), value: 'complete' }]]]),
    )
    expect(about('checkout.session.expired')).toEqual(
      new Map([[refOf('cs_1'), [{ at: instantOf(at), value: 'expired' }]]]),
    )
  })
})

describe('an event of a subscription', () => {
  it('reports a scheduled cancellation and its withdrawal', () => {
    const cancelAt = subscription.items.data[0]!.current_period_end
    expect(
      changesOf(
        updated({ cancel_at: null }, { cancel_at: cancelAt }),
        updated({ cancel_at: cancelAt }),
      ),
    ).toMatchObject({
      plan: [],
      cancellation: [
        { at: instantOf(at), from: null, to: instantOf(cancelAt) },
        { from: instantOf(cancelAt), to: null },
      ],
    })
  })

  it('reports a cancellation at the end of the period, which has no date of its own', () => {
    const end = instantOf(subscription.items.data[0]!.current_period_end)
    const event = updated({ cancel_at_period_end: false }, { cancel_at_period_end: true })
    expect(changesOf(event)?.cancellation).toMatchObject([{ from: null, to: end }])
  })

  it('reports a pause, its planned end, and its end', () => {
    const pause = { behavior: 'void', resumes_at: at }
    expect(
      changesOf(
        updated({ pause_collection: null }, { pause_collection: pause }),
        updated({ pause_collection: pause }),
      )?.standing,
    ).toMatchObject([
      { from: { status: 'active' }, to: { status: 'paused', resumesAt: instantOf(at) } },
      { from: { status: 'paused' }, to: { status: 'active', resumesAt: null } },
    ])
  })

  it('reports another status, but not the status of an ended subscription', () => {
    expect(
      changesOf(
        updated({ status: 'past_due' }),
        updated({ status: 'active' }, { status: 'canceled' }),
      )?.standing,
    ).toMatchObject([{ from: { status: 'past_due' }, to: { status: 'active' } }])
  })

  it('reports another price, with the old values of a part of the item', () => {
    const [item] = subscription.items.data
    const annual = { ...item!.price, id: 'price_sandbox_annual' }
    const event = updated(
      { items: { data: [{ id: item!.id, price: annual }] } },
      { items: { ...subscription.items, data: [item!] } },
    )
    expect(changesOf(event)?.plan).toMatchObject([
      { from: { terms: { planId: 'annual' } }, to: { terms: { priceRef: refOf(item!.price.id) } } },
    ])
  })

  it('of another kind reports no change', () => {
    expect(changesOf(updated({ latest_invoice: 'in_1' }))).toEqual({
      plan: [],
      plannedChange: [],
      cancellation: [],
      standing: [],
    })
  })
})

describe('an event of a schedule', () => {
  const of = (event: HistoryEvent) =>
    historyFromStripe([event], prices, noPrices).subscriptions.get(
      refOf(schedule.subscription as string),
    )?.plannedChange
  const onlyNow = () => schedule.phases.slice(0, 1)

  it('that adds a phase reports the planned change', () => {
    const event = eventOf('subscription_schedule.updated', schedule, { phases: onlyNow() })
    expect(of(event)).toMatchObject([
      { from: null, to: { effectiveAt: instantOf(schedule.phases[1]!.start_date) } },
    ])
  })

  it('that releases the subscription reports the end of the planned change', () => {
    const released = {
      ...schedule,
      status: 'released',
      subscription: null,
      released_subscription: schedule.subscription,
      current_phase: null,
    }
    const event = {
      ...eventOf('subscription_schedule.released', released),
      created: schedule.phases[0]!.start_date + 60,
    }
    expect(of(event)).toMatchObject([{ from: { terms: {} }, to: null }])
  })

  it('finds the prices that a webhook names by their ids', () => {
    const [now, next] = schedule.phases
    const { price } = next!.items[0]!
    const unexpanded = {
      ...next!,
      items: [{ ...next!.items[0]!, price: (price as Stripe.Price).id }],
    }
    const event = eventOf(
      'subscription_schedule.updated',
      { ...schedule, phases: [now!, unexpanded] },
      { phases: onlyNow() },
    )
    const known = new Map([[(price as Stripe.Price).id, price as Stripe.Price]])
    const id = schedule.subscription as string
    const { subscriptions } = historyFromStripe([event], prices, known)
    expect(subscriptions.get(refOf(id))?.plannedChange).toMatchObject([{ to: { terms: {} } }])
  })
})

describe('events of a refund and of a dispute', () => {
  it('report the status at their time', () => {
    const { refunds, disputes } = historyFromStripe(
      [
        eventOf('refund.failed', { ...refund, status: 'failed' }),
        eventOf('charge.dispute.updated', { ...dispute, status: 'needs_response' }),
        eventOf('charge.dispute.closed', { ...dispute, status: 'lost' }),
      ],
      prices,
      noPrices,
    )
    expect(refunds.get(refOf(refund.id))).toEqual([{ at: instantOf(at), value: 'failed' }])
    expect(disputes.get(refOf(dispute.id))?.map(({ value }) => value)).toEqual([
      'chargeback',
      'lost',
    ])
  })
})

describe('a provider event', () => {
  const reportsChange = (event: HistoryEvent) => providerEventOf(event).changesSince !== null

  it('of a change that can be reverted has the time of the change', () => {
    expect(providerEventOf(updated({ cancel_at: null }, { cancel_at: at })).changesSince).toBe(
      instantOf(at),
    )
    expect(reportsChange(eventOf('subscription_schedule.updated', schedule, {}))).toBe(true)
    const [item] = subscription.items.data
    const other = { items: { data: [{ ...item, price: { ...item!.price, id: 'price_other' } }] } }
    expect(reportsChange(updated(other))).toBe(true)
  })

  it('of a renewal, a first payment or another change has none', () => {
    const [item] = subscription.items.data
    expect(reportsChange(updated({ items: { data: [{ ...item, current_period_end: 1 }] } }))).toBe(
      false,
    )
    expect(reportsChange(updated({ status: 'incomplete' }))).toBe(false)
    expect(reportsChange(updated({ latest_invoice: 'in_1' }))).toBe(false)
    expect(reportsChange(eventOf('refund.updated', refund, { status: 'pending' }))).toBe(false)
  })
})
