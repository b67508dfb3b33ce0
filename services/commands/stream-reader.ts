import { eventsByCategory, type DomainEvent } from '#contracts/events/catalogue'
import { storedMacOf } from '#services/event-store/audit/hash-chain'
import type { DecodedEvent, EventCodec } from '#services/event-store/encryption/codec'
import { damagedAdvice, UnreadableEvent } from '#services/event-store/errors'
import type { EventStore, StreamEvent } from '#services/event-store/event-store'
import type { HandledEvent } from './decision-events.ts'
import type { FoldedStream, Folding } from './folded-stream.ts'
import { bytesOf, type StreamCache, type UsedKeys } from './stream-cache.ts'

/** A folded stream, and what the cache needs to keep it. */
interface ReadStream<State> {
  readonly folded: FoldedStream<State>
  readonly keys: UsedKeys
  readonly bytes: number
  readonly generation: number
  /** As it is stored. Null if the stream does not exist. */
  readonly last: StreamEvent | null
}

/** Events of one read and of one decryption: the memory of a read does not grow with the stream. */
const pageSize = 1_000

/** Reads and folds streams: from the last event that the cache knows, or from the first one. */
export function createStreamReader({
  store,
  codec,
  cache,
}: {
  readonly store: Pick<EventStore, 'readStream'>
  readonly codec: Pick<EventCodec, 'decodeStream'>
  /** Null: every read is whole. */
  readonly cache: StreamCache | null
}) {
  const generation = () => cache?.generation() ?? 0

  const decode = <State, Event extends DomainEvent>(
    fold: Folding<State, Event>,
    stored: readonly StreamEvent[],
  ) => decodeOf(codec, fold, stored)

  /** Only the cache asks how large the events are. */
  const sizeOf = cache === null ? () => 0 : bytesOf

  async function read<State, Event extends DomainEvent>(
    fold: Folding<State, Event>,
    stream: string,
  ): Promise<ReadStream<State>> {
    const readAt = generation()
    const cached = await cache?.find(fold, stream)
    if (cached != null) {
      const { head } = cached.folded
      const page = await store.readStream(stream, head?.revision ?? 0, pageSize)
      const [known, ...tail] = page
      // The event is another one if the log was restored, or if two processes appended one fact at
      // the same revision and the other one was first.
      if (head !== null && known !== undefined && storedMacOf(known) === head.mac) {
        const start = { ...cached, generation: readAt, last: known }
        if (tail.length === 0) return start
        return foldPages(fold, stream, start, tail, page.length < pageSize)
      }
      cache?.forget(stream)
    }
    const folded = { state: fold.initialState, head: null, revisions: new Map<string, number>() }
    const start = { folded, keys: new Map(), bytes: 0, generation: readAt, last: null }
    const page = await store.readStream(stream, 0, pageSize)
    return foldPages(fold, stream, start, page, page.length < pageSize)
  }

  async function foldPages<State, Event extends DomainEvent>(
    fold: Folding<State, Event>,
    stream: string,
    start: ReadStream<State>,
    firstPage: readonly StreamEvent[],
    isLastPage: boolean,
  ): Promise<ReadStream<State>> {
    let result = start
    let page = firstPage
    for (let isLast = isLastPage; ; isLast = page.length < pageSize) {
      result = await foldOn(fold, result, page)
      if (isLast) break
      page = await store.readStream(stream, (result.folded.head?.revision ?? -1) + 1, pageSize)
    }
    cache?.keep(fold, stream, result, result.generation)
    return result
  }

  async function foldOn<State, Event extends DomainEvent>(
    fold: Folding<State, Event>,
    start: ReadStream<State>,
    stored: readonly StreamEvent[],
  ): Promise<ReadStream<State>> {
    const keys = (await cache?.keysOf(stored)) ?? start.keys
    const events = await decode(fold, stored)
    return grown(fold, start, stored, events, { keys, bytes: sizeOf(events) })
  }

  return {
    read,

    /** All events, also of a stream that the cache has: page by page, as the store joins reads. */
    async readEvents<State, Event extends DomainEvent>(
      fold: Folding<State, Event>,
      stream: string,
    ): Promise<readonly HandledEvent<Event>[]> {
      const events: HandledEvent<Event>[] = []
      for (;;) {
        const page = await store.readStream(stream, events.length, pageSize)
        events.push(...(await decode(fold, page)))
        if (page.length < pageSize) return events
      }
    },

    decode,

    /**
     * The stream with events that this process appended to it, at the position of the last one.
     * `events` are the same events, decoded and as they are stored.
     */
    async append<State, Event extends DomainEvent>(
      fold: Folding<State, Event>,
      stream: string,
      start: ReadStream<State>,
      stored: readonly StreamEvent[],
    ): Promise<{ read: ReadStream<State>; events: readonly HandledEvent<Event>[] }> {
      const keys = (await cache?.keysOf(stored)) ?? start.keys
      const events = await decode(fold, stored)
      const after = grown(fold, start, stored, events, { keys, bytes: sizeOf(events) })
      cache?.keep(fold, stream, after, after.generation)
      return { read: after, events }
    },

    forget: (stream: string) => cache?.forget(stream),
  }
}

/** @throws UnreadableEvent for an event that the stream's category does not have */
async function decodeOf<State, Event extends DomainEvent>(
  codec: Pick<EventCodec, 'decodeStream'>,
  { category }: Folding<State, Event>,
  stored: readonly StreamEvent[],
): Promise<readonly HandledEvent<Event>[]> {
  const isOfCategory = (event: DecodedEvent): event is DecodedEvent & HandledEvent<Event> =>
    Object.hasOwn(eventsByCategory[category], event.type)
  return (await codec.decodeStream(stored)).map((event) => {
    if (isOfCategory(event)) return event
    throw new UnreadableEvent(
      event,
      `the decider of category '${category}' has no such event. ${damagedAdvice}`,
    )
  })
}

/** `start` with later events: `stored` as they are stored, and `events` decoded. */
function grown<State, Event extends DomainEvent>(
  { evolve }: Folding<State, Event>,
  start: ReadStream<State>,
  stored: readonly StreamEvent[],
  events: readonly HandledEvent<Event>[],
  { keys, bytes }: Pick<ReadStream<State>, 'keys' | 'bytes'>,
): ReadStream<State> {
  const last = stored.at(-1)
  if (last === undefined) return start
  const { state, revisions } = start.folded
  const next = events.reduce((before: State, event: Event) => evolve(before, event), state)
  for (const { id, revision } of stored) revisions.set(id, revision)
  const { revision, position = null } = last
  const mac = events.at(-1)?.metadata.mac ?? ''
  return {
    folded: { state: next, head: { revision, mac, position }, revisions },
    keys: keys.size === 0 || keys === start.keys ? start.keys : new Map([...start.keys, ...keys]),
    bytes: start.bytes + bytes,
    generation: start.generation,
    last,
  }
}
