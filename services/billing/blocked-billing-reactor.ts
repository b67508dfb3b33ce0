import { parseSubscriptionId, parseUserId } from '#contracts/ids'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { unreachable } from '#services/foundation/decider'
import { streamOwner } from '#services/foundation/stream-names'
import type { PaymentProvider } from '#services/payments/payment-provider'
import { eventConsumer } from '#services/foundation/event-consumer'
import { defineReactor, type Reactor } from '#services/reactors/reactor'
import { reactorContext } from '#services/reactors/reactor-context'
import type { Billing } from './billing-service.ts'

const blockedBilling = eventConsumer({
  name: 'blocked billing',
  concernedBy: ['access', 'standing'],
  ignores: [
    'AccountUnblocked',
    'SubscriptionStarted',
    'SubscriptionStatusChanged',
    'SubscriptionPaused',
    'SubscriptionResumed',
  ],
})

const name = 'blocked-billing'

/**
 * Ends the billing of blocked accounts at the provider. AccountBlocked: completes a block that was
 * interrupted, and closes the customer's open sessions. SubscriptionEnded because of a block:
 * cancels the subscription. Each effect is complete without the other one.
 */
export function blockedBillingReactor({
  billing,
  provider,
}: {
  readonly billing: Billing
  readonly provider: Pick<PaymentProvider, 'cancelSubscription'>
}): Reactor {
  return defineReactor({
    name,
    handles: [blockedBilling],
    async effect(event) {
      const userId = parseUserId(streamOwner(event.stream))
      switch (event.type) {
        case 'AccountBlocked': {
          // The account was unblocked meanwhile, which completed the block in the stream. Its
          // subscriptions have entries of their own.
          if (!(await billing.isBlocked(userId))) return
          await billing.endBlocked(userId, reactorContext(name, event))
          await billing.closeCheckouts(userId, reactorContext(name, event))
          return
        }
        case 'SubscriptionEnded': {
          const { subscriptionId, why } = event.data
          if (why !== 'blocked') return
          const subscriptionRef = await billing.subscriptionRefOf(
            userId,
            parseSubscriptionId(subscriptionId),
          )
          if (subscriptionRef === null)
            throw new DamagedHistory(
              `Subscription ${subscriptionId} ended and never started. Run npm run billing -- events verify.`,
            )
          await provider.cancelSubscription(subscriptionRef, event.id)
          if (await billing.isBlocked(userId))
            await billing.closeCheckouts(userId, reactorContext(name, event))
          return
        }
        default:
          unreachable(event)
      }
    },
  })
}
