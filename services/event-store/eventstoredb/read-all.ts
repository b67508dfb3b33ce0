import { EventStoreUnavailable } from '../errors.ts'
import type { Position, StoredEvent } from '../event-store.ts'
import type { ClientSubscription } from './client-subscription.ts'
import { comparePositions } from './positions.ts'
import { timeoutMs } from './reading.ts'

/**
 * Reads the events after `after` page by page, up to the current end. Uses a subscription, since
 * the server filters only subscriptions. While the caller works on a page, the subscription buffers
 * at most one more page.
 */
export async function* readAll(
  after: Position | null,
  pageSize: number,
  log: {
    readonly lastPosition: () => Promise<Position | null>
    readonly open: (
      after: Position | null,
      bufferSize: number,
      isLast: (event: StoredEvent) => boolean,
    ) => ClientSubscription
    /** Retries while the server is unavailable; see retry-while-unavailable.ts. */
    readonly ask: <T>(call: () => Promise<T>) => Promise<T>
  },
): AsyncGenerator<readonly StoredEvent[]> {
  const end = await log.lastPosition()
  let position = after
  let subscription: ClientSubscription | null = null

  async function nextPage(): Promise<readonly StoredEvent[]> {
    subscription ??= log.open(position, pageSize, (event) => event.position === end)
    try {
      const page = await subscription.events.take(pageSize, { waitForMax: true, timeoutMs })
      if (page.length === 0)
        throw new EventStoreUnavailable(new Error('the server ended the reading'))
      return page
    } catch (error) {
      subscription.events.end()
      subscription = null
      throw error
    }
  }

  function isBeforeEnd(place: Position | null): boolean {
    return end !== null && (place === null || comparePositions(place, end) < 0)
  }

  try {
    while (isBeforeEnd(position)) {
      const page = await log.ask(nextPage)
      position = page.at(-1)?.position ?? position
      yield page
    }
  } finally {
    ;(subscription as ClientSubscription | null)?.events.end()
  }
}
