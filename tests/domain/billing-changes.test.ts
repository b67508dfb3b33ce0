import { describe, expect, it } from '@jest/globals'
import type { BillingEvent } from '#contracts/events/billing'
import { planById } from '#contracts/plans'
import { billingChanges } from '#services/billing/billing-changes'
import { initialBillingState } from '#services/billing/billing-state'
import { evolveBilling } from '#services/billing/evolve-billing'
import { termsOf } from '#services/payments/plan-prices'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { paymentSucceeded, subscriptionStarted } from '../support/data/events.ts'

const subscriptionId = 'subscription_1'
const periodEnd = '2026-04-03T09:12:00.000Z'
const observed = { changedAt: '2026-03-10T09:00:00.000Z', isInferred: false }
const yearly = termsOf(planById('annual'), refOf('price_year'))
const monthly = termsOf(planById('monthly'), refOf('price_monthly'))
const mastercard = {
  type: 'card',
  brand: 'mastercard',
  last4: '4444',
  expiryMonth: 1,
  expiryYear: 2030,
}

const bought: readonly BillingEvent[] = [subscriptionStarted('usr_1'), paymentSucceeded('usr_1')]
const changesOf = (events: readonly BillingEvent[], earlier: readonly BillingEvent[] = bought) =>
  billingChanges(earlier.reduce(evolveBilling, initialBillingState), events)

const scheduled = (effectiveAt: string): BillingEvent => ({
  type: 'CancellationScheduled',
  data: { subscriptionId, effectiveAt, ...observed },
})
const withdrawn: BillingEvent = {
  type: 'CancellationWithdrawn',
  data: { subscriptionId, ...observed },
}
const planned: BillingEvent = {
  type: 'PlanChangeScheduled',
  data: { subscriptionId, from: monthly, to: yearly, effectiveAt: periodEnd, ...observed },
}
const dropped: BillingEvent = { type: 'PlanChangeDropped', data: { subscriptionId, ...observed } }
const changed: BillingEvent = {
  type: 'PlanChanged',
  data: {
    subscriptionId,
    from: monthly,
    to: yearly,
    effectiveAt: periodEnd,
    currentPeriodStart: periodEnd,
    currentPeriodEnd: '2027-04-03T09:12:00.000Z',
    proration: null,
    prorationLines: [],
    isInferred: false,
  },
}
const methodChanged: BillingEvent = {
  type: 'PaymentMethodChanged',
  data: { method: mastercard },
}

describe('the changes of a customer since a moment', () => {
  it('claim nothing if nothing changed, or if a step was taken back', () => {
    expect(changesOf([])).toEqual([])
    expect(changesOf([scheduled(periodEnd), withdrawn])).toEqual([])
    expect(changesOf([planned, dropped])).toEqual([])
    expect(changesOf([methodChanged], [subscriptionStarted('usr_1')])).toEqual([])
  })

  it('state a scheduled cancellation with the renewal before it', () => {
    const plan = 'Monthly Plan'
    const later = '2026-06-20T00:00:00.000Z'
    expect(changesOf([scheduled(periodEnd)])).toEqual([
      { kind: 'cancellation-scheduled', plan, ends_at: periodEnd, renews_at: null },
    ])
    expect(changesOf([scheduled(later)])).toEqual([
      { kind: 'cancellation-scheduled', plan, ends_at: later, renews_at: periodEnd },
    ])
    expect(changesOf([withdrawn], [...bought, scheduled(periodEnd)])).toEqual([
      { kind: 'cancellation-withdrawn', plan },
    ])
  })

  it('state another plan, a planned plan, and a planned plan that was dropped', () => {
    const [from, to] = ['Monthly Plan', yearly.planName]
    expect(changesOf([planned])).toEqual([
      { kind: 'plan-change-scheduled', from, to, starts_at: periodEnd },
    ])
    expect(changesOf([dropped], [...bought, planned])).toEqual([
      { kind: 'plan-change-dropped', plan: from },
    ])
    expect(changesOf([changed], [...bought, planned])).toEqual([{ kind: 'plan-changed', from, to }])
  })

  it('state an end, another payment method and a payment', () => {
    const ended: BillingEvent = {
      type: 'SubscriptionEnded',
      data: { subscriptionId, why: 'canceled', endedAt: periodEnd },
    }
    expect(changesOf([ended, methodChanged])).toEqual([
      { kind: 'ended', plan: 'Monthly Plan' },
      { kind: 'payment-method', method: 'Mastercard ending 4444' },
    ])
    expect(changesOf([paymentSucceeded('usr_1', { invoiceRef: refOf('in_2') })])).toEqual([
      { kind: 'paid', amount: 39, currency: 'usd' },
    ])
  })
})
