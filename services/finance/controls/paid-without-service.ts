import { z } from 'zod'
import { instant, type Instant } from '#contracts/instant'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer } from '#services/foundation/event-consumer'
import { defineControl } from './control.ts'
import { moneyInWords, timeInWords } from './in-words.ts'

const paidPeriod = z.object({ paymentId: z.string(), total: z.string(), from: instant })
type PaidPeriod = z.infer<typeof paidPeriod>

const state = z.object({
  /** When each ended subscription ended. */
  ended: z.record(z.string(), instant),
  /** The last period that each subscription was paid for. */
  paid: z.record(z.string(), paidPeriod),
})

/**
 * A customer paid for a period that began when the subscription had ended. The end can become known
 * before the payment or after it. A payment of an older period is owed and fires nothing.
 *
 * Source: IFRS 15.31, revenue needs a service that is transferred to the customer.
 */
export const paidWithoutService = defineControl({
  name: 'paid-without-service',
  title: 'Paid period without service',
  sentence: 'No paid period begins at or after the end of its subscription.',
  consumer: eventConsumer({
    name: 'control paid-without-service',
    concernedBy: ['payment', 'standing'],
    ignores: [
      'PaymentFailed',
      'UnpaidInvoiceChanged',
      'InvoiceWrittenOff',
      'SubscriptionStarted',
      'SubscriptionStatusChanged',
      'SubscriptionPaused',
      'SubscriptionResumed',
    ],
  }),
  state,
  begin: () => ({ ended: {}, paid: {} }),
  step(state, event) {
    switch (event.type) {
      case 'PaymentSucceeded': {
        const { subscriptionId, paymentId, amounts, periodStart: from } = event.data
        if (subscriptionId === null || amounts.total <= 0) return null
        const total = moneyInWords({ amount: amounts.total, currency: amounts.currency })
        const period = { paymentId, total, from }
        const known = state.paid[subscriptionId]
        if (known === undefined || known.from < from) state.paid[subscriptionId] = period
        return unservedOf(subscriptionId, period, state.ended[subscriptionId])
      }
      case 'SubscriptionEnded': {
        const { subscriptionId, endedAt } = event.data
        const isKnown = subscriptionId in state.ended
        state.ended[subscriptionId] = endedAt
        const period = state.paid[subscriptionId]
        return isKnown || period === undefined ? null : unservedOf(subscriptionId, period, endedAt)
      }
      default:
        return unreachable(event)
    }
  },
})

function unservedOf(
  subscriptionId: string,
  { paymentId, total, from }: PaidPeriod,
  endedAt: Instant | undefined,
): string | null {
  if (endedAt === undefined || from < endedAt) return null
  return `${paymentId} of ${total} pays for a period from ${timeInWords(from)}, but ${subscriptionId} ended at ${timeInWords(endedAt)}.`
}
