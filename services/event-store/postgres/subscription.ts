import { EventStoreUnavailable } from '../errors.ts'
import type { Position, StoredEvent, SubscribeOptions } from '../event-store.ts'
import type { WakeSignal } from './wake-signal.ts'

const defaultBatchSize = 500
/** How late a reader is when nobody wakes it. */
const pollInterval = 1_000
const longestBackoff = 2_000

interface Source {
  readonly readPage: (after: Position | null, limit: number) => Promise<readonly StoredEvent[]>
  readonly news: WakeSignal
}

/**
 * Reads page after page, and waits for news at the end of the log. Because position order is commit
 * order, the last position is all that it must remember. Rejects with what the handler threw;
 * outlives a store that goes away.
 */
export async function runSubscription(options: SubscribeOptions, { readPage, news }: Source): Promise<void> {
  const { signal, onEvents, onConnectionChange, maxBatchSize = defaultBatchSize } = options
  let position = options.after
  let failures = 0
  while (!signal.aborted) {
    const seen = news.count()
    const page = await readPage(position, maxBatchSize).catch(unlessUnavailable)
    if (page instanceof EventStoreUnavailable) {
      failures += 1
      if (failures === 1) onConnectionChange?.('lost', page)
      await news.wait(seen, backoff(failures), signal)
      continue
    }
    if (failures > 0) onConnectionChange?.('restored')
    failures = 0
    const last = page.at(-1)
    if (last === undefined) {
      await news.wait(seen, pollInterval, signal)
    } else if (!signal.aborted) {
      await onEvents(page)
      position = last.position
    }
  }
}

function unlessUnavailable(error: unknown): EventStoreUnavailable {
  if (error instanceof EventStoreUnavailable) return error
  throw error
}

/** 50, 100, 200 ms and so on, each up to half shorter, so that readers do not come back in step. */
function backoff(failures: number): number {
  return Math.min(longestBackoff, 25 * 2 ** failures) * (1 - Math.random() / 2)
}
