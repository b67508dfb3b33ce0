import { createBackoff } from '#services/foundation/backoff'
import { sleep } from '#services/foundation/sleep'
import type { Position, StoredEvent, SubscribeOptions } from '../event-store.ts'
import type { ClientSubscription } from './client-subscription.ts'
import { laterOf } from './positions.ts'
import { isUnavailable } from './unavailable.ts'

export const defaultBatchSize = 500
const retryLimits = { firstMs: 50, longestMs: 2_000 }
/** During catch-up, events are delivered in large batches. */
const catchUpBatching = { minItems: 1, maxWaitMs: 200 }
/**
 * 50 events at once come from an import, not from customers. Fewer events are delivered without a
 * wait.
 */
const liveBatching = { minItems: 50, maxWaitMs: 50 }

/** Opens a client subscription, whose takes wait until `signal` aborts. */
export type OpenClientSubscription = (
  after: Position | null,
  signal: AbortSignal,
  onConfirmed: () => void,
) => ClientSubscription

/**
 * Delivers events in batches. Events that arrive while the handler works form the next batch. The
 * client does not resume a lost subscription, so this function opens a new one after the last
 * handled event. If only system events followed, it opens the new one after the last checkpoint.
 * Rejects with the error of the handler.
 */
export async function runSubscription(
  options: SubscribeOptions,
  open: OpenClientSubscription,
): Promise<void> {
  const { signal, onEvents, maxBatchSize = defaultBatchSize } = options
  let position = options.after
  const backoff = createBackoff(retryLimits)
  while (!signal.aborted) {
    const subscription = open(position, signal, () => backoff.reset())
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
      // By now the handler has handled every event that arrived before the failure. The checkpoint
      // covers only such events.
      position = laterOf(position, subscription.checkpoint())
      await sleep(backoff.next(), signal)
    } finally {
      subscription.events.end()
    }
  }

  /** Null after `signal` aborts. */
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

/**
 * Distinguishes a failure of the store from a failure of the handler, which may have the same
 * class.
 */
class SubscriptionLost extends Error {
  constructor(cause: unknown) {
    super('the subscription was lost', { cause })
  }
}
