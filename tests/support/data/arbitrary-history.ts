import fc from 'fast-check'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { planById } from '#contracts/plans'
import { termsOf } from '#services/payments/plan-prices'
import {
  accountOpened,
  billing,
  emailVerified,
  paymentFailed,
  paymentSucceeded,
  profileCompleted,
  subscriptionStarted,
} from './events.ts'

const first = Date.parse('2026-01-01T00:00:00.000Z')
const day = 86_400_000

const step = fc.record({
  user: fc.integer({ min: 1, max: 4 }),
  subscription: fc.integer({ min: 1, max: 2 }),
  days: fc.integer({ min: 0, max: 400 }),
  what: fc.constantFrom(
    'profile',
    'verify',
    'pay',
    'fail',
    'renew',
    'status',
    'change-plan',
    'cancel',
    'withdraw',
    'end',
  ),
  status: fc.constantFrom('active', 'past_due', 'paused', 'incomplete', 'unpaid'),
  currency: fc.constantFrom('usd', 'usd', 'eur', 'jpy'),
})

/**
 * Possible events of four users. Every event follows the events that it needs (an opened account, a started
 * subscription). The order is otherwise arbitrary.
 */
export const arbitraryHistory: fc.Arbitrary<readonly RecordedEvent[]> = fc
  .array(step, { minLength: 1, maxLength: 60 })
  .map((steps) => {
    const events: RecordedEvent[] = []
    const begun = new Set<string>()
    for (const [index, { user, subscription, days, what, status, currency }] of steps.entries()) {
      const userId = `usr_${user}`
      const subscriptionId = `subscription_${user}_${subscription}`
      const place = { occurredAt: at(days), revision: index }
      const begin = (key: string, event: () => RecordedEvent) => {
        if (!begun.has(key)) events.push(event())
        begun.add(key)
      }
      begin(userId, () => accountOpened(userId, `user${user}@example.com`, place))
      if (!['profile', 'verify', 'pay', 'fail'].includes(what)) {
        begin(subscriptionId, () =>
          subscriptionStarted(
            userId,
            { subscriptionId, stripeSubscriptionId: subscriptionId },
            place,
          ),
        )
      }
      events.push(happening())

      function happening(): RecordedEvent {
        switch (what) {
          case 'profile':
            return profileCompleted(userId, { companyName: `Company ${index}` }, place)
          case 'verify':
            return emailVerified(userId, `user${user}@example.com`, place)
          case 'pay':
            return paymentSucceeded(
              userId,
              {
                subscriptionId,
                paymentId: `payment_${index}`,
                periodEnd: at(days + 30),
                total: { amount: 100 + index, currency },
              },
              place,
            )
          case 'fail':
            return paymentFailed(userId, { subscriptionId, paymentId: `payment_${index}` }, place)
          case 'renew':
            return billing(
              userId,
              {
                type: 'SubscriptionRenewed',
                data: {
                  subscriptionId,
                  currentPeriodStart: at(days),
                  currentPeriodEnd: at(days + 30),
                },
              },
              place,
            )
          case 'status':
            return billing(
              userId,
              {
                type: 'SubscriptionStatusChanged',
                data: { subscriptionId, from: 'active', to: status },
              },
              place,
            )
          case 'change-plan': {
            const from = termsOf(planById('monthly'), 'price_monthly')
            return billing(
              userId,
              {
                type: 'PlanChanged',
                data: {
                  subscriptionId,
                  from,
                  to: { ...from, quantity: 1 + (index % 3) },
                  effectiveAt: at(days),
                  currentPeriodStart: at(days),
                  currentPeriodEnd: at(days + 30),
                },
              },
              place,
            )
          }
          case 'cancel':
            return billing(
              userId,
              {
                type: 'CancellationScheduled',
                data: { subscriptionId, effectiveAt: at(days + 10) },
              },
              place,
            )
          case 'withdraw':
            return billing(
              userId,
              { type: 'CancellationWithdrawn', data: { subscriptionId } },
              place,
            )
          case 'end':
            return billing(
              userId,
              {
                type: 'SubscriptionEnded',
                data: { subscriptionId, why: 'canceled', endedAt: at(days) },
              },
              place,
            )
        }
      }
    }
    return events
  })

function at(days: number): string {
  return new Date(first + days * day).toISOString()
}
