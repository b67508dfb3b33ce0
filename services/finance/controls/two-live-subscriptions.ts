import { z } from 'zod'
import { isLive } from '#contracts/subscription-status'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer } from '#services/foundation/event-consumer'
import { defineControl } from './control.ts'

const state = z.object({
  /** Subscriptions that the provider can charge. */
  live: z.array(z.string()),
  /** An end is final: a later event of the subscription changes nothing. */
  ended: z.array(z.string()),
})
type State = z.infer<typeof state>

/**
 * A customer is charged for two subscriptions at once.
 *
 * Source: the specification, section 5, "You already have an active subscription"; the live
 * statuses are those of docs/decisions/0005-one-open-checkout.md.
 */
export const twoLiveSubscriptions = defineControl({
  name: 'two-live-subscriptions',
  title: 'Two live subscriptions',
  sentence: 'A customer never has two live subscriptions.',
  consumer: eventConsumer({
    name: 'control two-live-subscriptions',
    concernedBy: ['standing'],
  }),
  state,
  begin: () => ({ live: [], ended: [] }),
  step(state, event) {
    const { subscriptionId } = event.data
    switch (event.type) {
      case 'SubscriptionStarted':
      case 'SubscriptionResumed':
        return setLive(state, subscriptionId, isLive(event.data.status))
      case 'SubscriptionStatusChanged':
        return setLive(state, subscriptionId, isLive(event.data.to))
      case 'SubscriptionPaused':
        return setLive(state, subscriptionId, isLive('paused'))
      case 'SubscriptionEnded':
        state.ended.push(subscriptionId)
        return setLive(state, subscriptionId, false)
      default:
        return unreachable(event)
    }
  },
})

function setLive(state: State, subscriptionId: string, isLiveNow: boolean): string | null {
  const wasLive = state.live.includes(subscriptionId)
  const others = state.live.filter((each) => each !== subscriptionId)
  const becomesLive = isLiveNow && !state.ended.includes(subscriptionId)
  state.live = becomesLive ? [...others, subscriptionId] : others
  if (!becomesLive || wasLive || others.length === 0) return null
  return `${subscriptionId} is live, and so is ${others.join(' and ')}.`
}
