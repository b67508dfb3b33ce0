import { growingPauses } from '#services/foundation/growing-pauses'
import { EventStoreUnavailable } from '../errors.ts'
import type { Position, StoredEvent, SubscribeOptions } from '../event-store.ts'
import type { WakeSignal } from './wake-signal.ts'

const defaultBatchSize = 500
/** How late a reader is when nobody wakes it. */
const pollInterval = 1_000
const retryLimits = { firstMs: 50, longestMs: 2_000 }

interface Source {
  readonly readPage: (after: Position | null, limit: number) => Promise<readonly StoredEvent[]>
  readonly news: WakeSignal
}

interface Reading {
  readonly page: readonly StoredEvent[] | EventStoreUnavailable
  /** How often the reader had been woken when this was read: what came later is news. */
  readonly seen: number
}

/**
 * Reads page after page, and waits for news at the end of the log. Because position order is commit
 * order, the last position is all that it must remember. Rejects with what the handler threw;
 * outlives a store that goes away.
 */
export async function runSubscription(
  options: SubscribeOptions,
  { readPage, news }: Source,
): Promise<void> {
  const { signal, onEvents, maxBatchSize = defaultBatchSize } = options
  let position = options.after
  const pauses = growingPauses(retryLimits)
  let ahead: Promise<Reading> | null = null
  while (!signal.aborted) {
    const { page, seen } = await (ahead ?? read(position))
    ahead = null
    if (page instanceof EventStoreUnavailable) {
      await news.wait(seen, pauses.next(), signal)
      continue
    }
    pauses.reset()
    const last = page.at(-1)
    if (last === undefined) {
      await news.wait(seen, pollInterval, signal)
    } else if (!signal.aborted) {
      // A full page has another one behind it, which is fetched while this one is worked on.
      if (page.length === maxBatchSize) {
        ahead = read(last.position)
        // Its failure is met when it is awaited, unless the handler's comes first.
        ahead.catch(() => undefined)
      }
      await onEvents(page)
      position = last.position
    }
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
