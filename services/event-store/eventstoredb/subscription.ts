import { growingPauses } from '#services/foundation/growing-pauses'
import { sleep } from '#services/foundation/repeat'
import type { Position, StoredEvent, SubscribeOptions } from '../event-store.ts'
import type { ClientSubscription } from './client-subscription.ts'
import { laterOf } from './positions.ts'
import { isUnavailable } from './unavailable.ts'

export const defaultBatchSize = 500
const retryLimits = { firstMs: 50, longestMs: 2_000 }
/** What was there before comes in large pages. */
const catchUpBatching = { minItems: 1, maxWaitMs: 200 }
/** So many at once are no customers, but a log that is brought in. Of what customers do, nothing waits. */
const liveBatching = { minItems: 50, maxWaitMs: 50 }

/** Its takes wait until `signal` aborts. */
export type OpenClientSubscription = (
  after: Position | null,
  signal: AbortSignal,
  onConfirmed: () => void,
) => ClientSubscription

/**
 * Hands over what arrives, batch by batch, and what batching while the handler works goes together in the next. The
 * client's subscription does not come back by itself: it is opened again behind the last event that was handled, or
 * behind the last checkpoint where only the server's own events followed. Rejects with what the handler threw.
 */
export async function runSubscription(
  options: SubscribeOptions,
  open: OpenClientSubscription,
): Promise<void> {
  const { signal, onEvents, maxBatchSize = defaultBatchSize } = options
  let position = options.after
  const pauses = growingPauses(retryLimits)
  while (!signal.aborted) {
    const subscription = open(position, signal, () => pauses.reset())
    try {
      for (
        let events = await next(subscription);
        events !== null;
        events = await next(subscription)
      ) {
        await onEvents(events)
        position = events.at(-1)?.position ?? position
      }
      return
    } catch (error) {
      if (!(error instanceof SubscriptionLost)) throw error
      // By now the handler has handled every event that arrived before the failure. The checkpoint covers only such events.
      position = laterOf(position, subscription.checkpoint())
      await sleep(pauses.next(), signal)
    } finally {
      subscription.events.end()
    }
  }

  /** Null once the subscription is to end. */
  async function next(subscription: ClientSubscription): Promise<readonly StoredEvent[] | null> {
    try {
      const events = await subscription.events.take(maxBatchSize, {
        batching: subscription.isBehind() ? catchUpBatching : liveBatching,
      })
      if (signal.aborted) return null
      if (events.length > 0) return events
    } catch (error) {
      if (signal.aborted) return null
      throw isUnavailable(error) ? new SubscriptionLost(error) : error
    }
    throw new SubscriptionLost(new Error('the server ended the subscription'))
  }
}

/** Keeps the store's failures apart from those of the handler, which may be the same ones. */
class SubscriptionLost extends Error {
  constructor(cause: unknown) {
    super('the subscription was lost', { cause })
  }
}
