import { describe, expect, it } from '@jest/globals'
import type { BillingEvent } from '#contracts/events/billing'
import type { ProviderRef } from '#contracts/events/provider-ref'
import { parseCheckoutId } from '#contracts/ids'
import { planById } from '#contracts/plans'
import { billingDecider, type BillingCommand } from '#services/billing/billing-decider'
import { liveSubscriptions } from '#services/billing/billing-state'
import { stateOfNewCustomer } from '#services/billing/new-customer'
import { subscriptionIdOf } from '#services/billing/product-ids'
import { termsOf } from '#services/payments/plan-prices'
import type { ProviderState } from '#services/payments/provider-state'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { given } from '../support/data/given.ts'
import { providerInvoice } from '../support/data/provider-invoice.ts'
import {
  endedProviderSubscription,
  providerSubscription,
} from '../support/data/provider-subscription.ts'

const at = '2026-03-03T09:12:00.000Z'
const later = '2026-04-03T09:12:00.000Z'
const muchLater = '2026-05-03T09:12:00.000Z'
const monthly = termsOf(planById('monthly'), refOf('price_monthly'))

const start = (isBlocked: boolean, providerState: Partial<ProviderState> = {}): BillingCommand => ({
  type: 'start-checkout',
  checkoutId: parseCheckoutId('checkout_1'),
  terms: monthly,
  isBlocked,
  providerState: { ...stateOfNewCustomer, ...providerState },
  at,
})
const record = (providerState: Partial<ProviderState>): BillingCommand => ({
  type: 'reconcile',
  providerState: { ...stateOfNewCustomer, ...providerState },
  at,
})
const session: BillingCommand = {
  type: 'record-session',
  checkoutId: parseCheckoutId('checkout_1'),
  sessionRef: refOf('cs_1'),
  expiresAt: later,
  at,
}
const end: BillingCommand = { type: 'end-blocked', at: muchLater }

/** The events that the commands decide, each folded before the next command. */
function after(...commands: BillingCommand[]) {
  return commands.reduce<BillingEvent[]>((events, command) => {
    const decision = given(billingDecider, ...events).decide(command)
    return decision.kind === 'accepted' ? [...events, ...decision.events] : events
  }, [])
}
const whenAfter = (commands: BillingCommand[], command: BillingCommand) =>
  given(billingDecider, ...after(...commands)).when(command)

describe('ending the billing of a blocked account', () => {
  it('ends every started subscription now, whatever its status is, and no subscription twice', () => {
    const second = {
      ...providerSubscription,
      subscriptionRef: refOf('sub_2'),
      status: 'past_due',
    } as const
    const third = {
      ...providerSubscription,
      subscriptionRef: refOf('sub_3'),
      status: 'incomplete',
    } as const
    const seen = record({ subscriptions: [providerSubscription, second, third] })
    const blocked = (ref: ProviderRef) => ({
      type: 'SubscriptionEnded',
      data: { subscriptionId: subscriptionIdOf(ref), why: 'blocked', endedAt: muchLater },
    })
    expect(whenAfter([seen], end)).toEqual(
      ([refOf('sub_1'), refOf('sub_2'), refOf('sub_3')] as const).map(blocked),
    )
    expect(whenAfter([seen, end], end)).toEqual([])
    expect(whenAfter([], end)).toEqual([])
  })

  it('releases a reservation without a session, and leaves a session to the provider', () => {
    expect(whenAfter([start(false)], end)).toEqual([
      { type: 'CheckoutExpired', data: { checkoutId: 'checkout_1' } },
    ])
    expect(whenAfter([start(false), session], end)).toEqual([])
    expect(whenAfter([start(false), end], session)).toEqual([])
  })
})

describe('a subscription that ended because of a block', () => {
  const blocked = [record({ subscriptions: [providerSubscription] }), end]

  it('does not start again, whatever the provider answers later', () => {
    for (const seen of [
      providerSubscription,
      { ...providerSubscription, currentPeriodStart: later, currentPeriodEnd: muchLater },
      { ...providerSubscription, status: 'past_due' as const },
      { ...providerSubscription, cancelAt: muchLater },
    ])
      expect(whenAfter(blocked, record({ subscriptions: [seen] }))).toEqual([])
    const { state } = given(billingDecider, ...after(...blocked))
    expect(liveSubscriptions(state)).toEqual([])
  })

  it('still has its later payments recorded', () => {
    const seen = record({
      subscriptions: [endedProviderSubscription('canceled', muchLater)],
      invoices: [providerInvoice()],
    })
    expect(whenAfter(blocked, seen)).toMatchObject([{ type: 'PaymentSucceeded' }])
  })

  it('does not hinder a new purchase after the account is unblocked', () => {
    expect(
      whenAfter(blocked, start(false, { subscriptions: [providerSubscription] })),
    ).toMatchObject([{ type: 'CheckoutStarted' }])
  })
})

describe('a checkout of a blocked account', () => {
  it('is refused, also if an earlier checkout of the plan is open', () => {
    expect(given(billingDecider).when(start(true))).toEqual({ refused: { kind: 'blocked' } })
    expect(whenAfter([start(false), session], { ...start(true) })).toEqual({
      refused: { kind: 'blocked' },
    })
  })

  it('records first what happened at the provider', () => {
    expect(
      given(billingDecider).when(start(true, { subscriptions: [providerSubscription] })),
    ).toMatchObject([{ type: 'SubscriptionStarted' }])
  })
})
