import { createBackoff } from '#services/foundation/backoff'
import { EventStoreUnavailable } from '../errors.ts'
import type { Position, StoredEvent, SubscribeOptions } from '../event-store.ts'
import type { WakeSignal } from '#services/foundation/wake-signal'

const defaultBatchSize = 500
/** A reader without a notification polls at this interval, in milliseconds. */
const pollInterval = 1_000
const retryLimits = { firstMs: 50, longestMs: 2_000 }

interface Source {
  readonly readPage: (after: Position | null, limit: number) => Promise<readonly StoredEvent[]>
  readonly news: WakeSignal
}

interface Reading {
  readonly page: readonly StoredEvent[] | EventStoreUnavailable
  /** Wake count at the start of this read. A higher count means that there may be new events. */
  readonly seen: number
}

/**
 * Reads page after page, and waits for new events at the end of the log. Position order is commit
 * order, so the last position is its only state. Rejects with the error of the handler. Retries
 * while the store is unavailable.
 */
export async function runSubscription(
  options: SubscribeOptions,
  { readPage, news }: Source,
): Promise<void> {
  const { signal, onEvents, maxBatchSize = defaultBatchSize } = options
  let position = options.after
  const backoff = createBackoff(retryLimits)
  let ahead: Promise<Reading> | null = null
  while (!signal.aborted) {
    const { page, seen } = await (ahead ?? read(position))
    ahead = null
    if (page instanceof EventStoreUnavailable) {
      await news.wait(seen, backoff.next(), signal)
      continue
    }
    backoff.reset()
    const last = page.at(-1)
    if (last !== undefined && !signal.aborted) {
      // After a full page there are probably more events: they are fetched while the handler works.
      if (page.length === maxBatchSize) {
        ahead = read(last.position)
        // The later `await` throws its failure. If the handler fails first, the failure is ignored.
        ahead.catch(() => undefined)
      }
      await onEvents(page)
      position = last.position
    }
    // A page that is not full reached the end of the log.
    if (page.length < maxBatchSize) await news.wait(seen, pollInterval, signal)
  }

  async function read(after: Position | null): Promise<Reading> {
    const seen = news.count()
    return { page: await readPage(after, maxBatchSize).catch(unlessUnavailable), seen }
  }
}

function unlessUnavailable(error: unknown): EventStoreUnavailable {
  if (error instanceof EventStoreUnavailable) return error
  throw error
}
