import type { RecordedEvent } from '#contracts/events/catalogue'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore, Position, StoredEvent } from '#services/event-store/event-store'
import { createWakeSignal } from '#services/foundation/wake-signal'

/** How one of several readers sees the log. */
export interface LogReader {
  readonly readAll: EventStore['readAll']
  readonly decode: EventCodec['decode']
  /** The others no longer wait for this reader. Call it also after a failure. */
  leave(): void
}

export interface SharedLogOptions {
  readonly log: Pick<EventStore, 'readAll' | 'comparePositions'>
  readonly codec: Pick<EventCodec, 'decode'>
  /** Events that are read at once: each reader gets the same pages. */
  readonly pageSize: number
  /** Called before the first page, with the position before its first event. */
  readonly onStart?: (after: Position | null) => Promise<void>
  /** Called when all readers have passed so many more events. */
  readonly onPassed?: (events: number) => void
}

/** Pages between the first reader and the last one. One has about 10 MB. */
const keptPages = 2
/** Each wait ends with a wake; the limit is that of the timer. */
const longestWaitMs = 600_000
const never = new AbortController().signal

/**
 * The log for readers that run at the same time: each page is read once, and each event is decoded
 * once. They must not change an event. The reading begins when each reader has asked or has left,
 * at the earliest position that one of them asks for. Then a reader that is `keptPages` ahead of
 * the last one waits. What a reader reads after its first `readAll` it reads alone.
 * @returns a function that adds a reader. Add all of them before one of them reads.
 */
export function shareLog({
  log,
  codec,
  pageSize,
  onStart,
  onPassed,
}: SharedLogOptions): () => LogReader {
  /** After which position each reader wants events. Undefined until it asks. */
  const wanted = new Map<symbol, Position | null | undefined>()
  const shared = decodeOnce(codec)
  const moves = createWakeSignal()
  let pages: readonly (readonly StoredEvent[])[] = []
  let source: AsyncIterator<readonly StoredEvent[]> | null = null
  let reading: Promise<void> | null = null
  let isRead = false

  const isAfter = (one: Position | null, other: Position | null) =>
    one !== null && (other === null || log.comparePositions(one, other) > 0)
  const goesBeyond = (page: readonly StoredEvent[], after: Position | null) =>
    isAfter(page.at(-1)?.position ?? null, after)

  /** Forgets the pages that each reader has passed. */
  function passed(): void {
    const isWanted = (page: readonly StoredEvent[]) =>
      [...wanted.values()].some((after) => after === undefined || goesBeyond(page, after))
    for (const page of pages.filter((each) => !isWanted(each))) {
      shared.forget(page)
      onPassed?.(page.length)
    }
    pages = pages.filter(isWanted)
    moves.wake()
  }

  async function readNext(): Promise<void> {
    if (source === null) {
      const after = earliest()
      await onStart?.(after)
      source = log.readAll(after, pageSize)[Symbol.asyncIterator]()
    }
    const next = await source.next()
    if (next.done === true) isRead = true
    else pages = [...pages, next.value]
  }

  function earliest(): Position | null {
    const positions = [...wanted.values()].map((after) => after ?? null)
    return positions.reduce((first, after) => (isAfter(first, after) ? after : first))
  }

  async function eventsAfter(after: Position | null): Promise<readonly StoredEvent[]> {
    for (;;) {
      const seen = moves.count()
      const page = pages.find((each) => goesBeyond(each, after))
      if (page !== undefined) {
        // The whole page is the same array for all readers.
        const isWhole = isAfter(page[0]?.position ?? null, after)
        return isWhole ? page : page.filter(({ position }) => isAfter(position, after))
      }
      if (isRead) return []
      const isComplete = [...wanted.values()].every((each) => each !== undefined)
      if (isComplete && pages.length < keptPages)
        // A failure stays, so that each reader meets it.
        await (reading ??= readNext().then(() => {
          reading = null
        }))
      else await moves.wait(seen, longestWaitMs, never)
    }
  }

  async function* readTogether(reader: symbol, from: Position | null) {
    try {
      for (let after = from; ;) {
        wanted.set(reader, after)
        passed()
        const events = await eventsAfter(after)
        if (events.length === 0) return
        yield events
        after = events.at(-1)?.position ?? after
      }
    } finally {
      leave(reader)
    }
  }

  function leave(reader: symbol): void {
    if (!wanted.delete(reader)) return
    passed()
    if (wanted.size === 0) void source?.return?.()
  }

  return () => {
    const reader = Symbol('reader')
    wanted.set(reader, undefined)
    const isSharing = () => wanted.has(reader)
    return {
      readAll: (after, size) =>
        isSharing() ? readTogether(reader, after) : log.readAll(after, size),
      decode: (events) => (isSharing() ? shared.decode(events) : codec.decode(events)),
      leave: () => leave(reader),
    }
  }
}

/** Decodes each event once, until it is forgotten. A failure is not kept: each reader meets it. */
function decodeOnce(codec: Pick<EventCodec, 'decode'>) {
  const decoded = new Map<string, RecordedEvent>()
  let last: Promise<unknown> = Promise.resolve()

  async function decodeMissing(events: readonly StoredEvent[]): Promise<void> {
    const missing = events.filter(({ id }) => !decoded.has(id))
    if (missing.length === 0) return
    for (const event of await codec.decode(missing)) decoded.set(event.id, event)
  }

  return {
    async decode(events: readonly StoredEvent[]): Promise<readonly RecordedEvent[]> {
      // One call after the other: the second reader of a page finds what the first has decoded.
      const mine = last.then(() => decodeMissing(events))
      last = mine.catch(() => undefined)
      await mine
      return events.flatMap(({ id }) => decoded.get(id) ?? [])
    },
    forget(events: readonly StoredEvent[]): void {
      for (const { id } of events) decoded.delete(id)
    },
  }
}
