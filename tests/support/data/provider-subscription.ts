import type { SubscriptionEnd } from '#contracts/events/billing'
import type { Instant } from '#contracts/instant'
import { noDeductions } from '#contracts/events/billing-parts'
import { planById } from '#contracts/plans'
import { termsOf } from '#services/payments/plan-prices'
import type {
  ProviderSubscription,
  StartedProviderSubscription,
} from '#services/payments/provider-state'
import { refOf } from '#services/payments/stripe/from-stripe/references'

/** The monthly subscription refOf('sub_1') of March 2026, as the payment provider reports it. */
export const providerSubscription: StartedProviderSubscription = {
  kind: 'started',
  subscriptionRef: refOf('sub_1'),
  terms: termsOf(planById('monthly'), refOf('price_monthly')),
  status: 'active',
  startedAt: '2026-03-03T09:12:00.000Z',
  currentPeriodStart: '2026-03-03T09:12:00.000Z',
  currentPeriodEnd: '2026-04-03T09:12:00.000Z',
  pause: null,
  cancelAt: null,
  plannedChange: null,
  prorations: [],
  deductions: noDeductions,
  discountedAt: null,
}

/** The same subscription after its end. */
export function endedProviderSubscription(
  why: SubscriptionEnd['why'] = 'canceled',
  endedAt: Instant = '2026-04-03T09:12:00.000Z',
): ProviderSubscription {
  const { subscriptionRef, terms, startedAt } = providerSubscription
  const { currentPeriodStart, currentPeriodEnd, prorations } = providerSubscription
  return {
    kind: 'ended',
    subscriptionRef,
    terms,
    startedAt,
    currentPeriodStart,
    currentPeriodEnd,
    prorations,
    why,
    endedAt,
  }
}
