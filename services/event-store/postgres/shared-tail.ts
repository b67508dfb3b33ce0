import type { WakeSignal } from '#services/foundation/wake-signal'
import type { Position, StoredEvent } from '../event-store.ts'
import { comparePositions } from './rows.ts'

export type ReadPage = (after: Position | null, limit: number) => Promise<readonly StoredEvent[]>

interface Source {
  readonly readPage: ReadPage
  readonly news: Pick<WakeSignal, 'count'>
  /** Milliseconds from any moment on. Default: `performance.now`. */
  readonly now?: () => number
}

interface Tail {
  /** All events after this position, up to the last one. */
  readonly after: Position | null
  readonly events: readonly StoredEvent[]
  /** Wake count before the last read that reached the end of the log. */
  readonly readAt: number
  /** When this read began. */
  readonly at: number
}

/**
 * Subscriptions that are further behind read the log themselves. An import appends 1,000 events in
 * a second, and a projector that writes rows is seconds behind it. About 10 MB.
 */
const keptEvents = 4_000
const extendedBy = 500
/**
 * A read that began earlier does not answer a subscription that polls: another process can have
 * appended without a notification.
 */
const freshMs = 100

/**
 * The end of the log, which many subscriptions of one process follow: an event is read and parsed
 * once for all of them. They must not change it.
 */
export function createSharedTail({
  readPage,
  news,
  now = () => performance.now(),
}: Source): ReadPage {
  let tail: Tail | null = null
  let extending: Promise<void> | null = null

  /** Null: the tail does not begin at or before this position, or ends before it. */
  function eventsAfter(after: Position | null): readonly StoredEvent[] | null {
    if (tail === null || isBefore(after, tail.after)) return null
    const { events } = tail
    const end = events.at(-1)?.position ?? tail.after
    if (isBefore(end, after)) return null
    return events.slice(firstAfter(events, after))
  }

  /** Reads once for all subscriptions that wait. */
  async function extend(): Promise<void> {
    const before = tail
    if (before === null) return
    const read = { readAt: news.count(), at: now() }
    try {
      const end = before.events.at(-1)?.position ?? before.after
      const page = await readPage(end, extendedBy)
      const isEnd = page.length < extendedBy
      // Nothing was appended for a while: nothing is kept.
      const isIdle = page.length === 0 && read.at - before.at > freshMs
      const events = isIdle ? [] : [...before.events, ...page]
      const left = Math.max(0, events.length - keptEvents)
      tail = {
        after: isIdle ? end : (events[left - 1]?.position ?? before.after),
        events: events.slice(left),
        readAt: isEnd ? read.readAt : -1,
        at: read.at,
      }
    } catch (error) {
      // After an outage another server may answer.
      tail = null
      throw error
    }
  }

  async function readAlone(after: Position | null, limit: number) {
    const read = { readAt: news.count(), at: now() }
    const page = await readPage(after, limit)
    const end = page.at(-1)?.position ?? after
    const known = tail?.events.at(-1)?.position ?? tail?.after ?? null
    if (page.length < limit && page.length <= keptEvents && !isBefore(end, known) && !extending)
      tail = { after, events: page, ...read }
    return page
  }

  return async (after, limit) => {
    const seen = news.count()
    const asked = now()
    for (;;) {
      const events = eventsAfter(after)
      if (events === null || tail === null) return readAlone(after, limit)
      const isFresh = tail.readAt >= seen && tail.at >= asked - freshMs
      if (events.length >= limit || isFresh) return events.slice(0, limit)
      extending ??= extend().finally(() => {
        extending = null
      })
      await extending
    }
  }
}

/** The index of the first event after a position, of events in the order of the log. */
function firstAfter(events: readonly StoredEvent[], after: Position | null): number {
  let [low, high] = [0, events.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const position = events[middle]?.position ?? null
    if (isBefore(after, position)) high = middle
    else low = middle + 1
  }
  return low
}

/** Null is before all events. */
function isBefore(one: Position | null, other: Position | null): boolean {
  return comparePositions(one ?? '0', other ?? '0') < 0
}
