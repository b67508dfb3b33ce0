import { LRUCache } from 'lru-cache'
import type { DecodedEvent } from '#services/event-store/encryption/codec'
import type { KeyForReading, PersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { StreamEvent } from '#services/event-store/event-store'
import { subjectOf } from '#services/foundation/stream-names'
import type { FoldedStream, Folding } from './folded-stream.ts'

/** Of all streams. One billing stream of 50,000 events takes about 45 MB. */
const defaultBytes = 64 * 2 ** 20
const defaultIdleMs = 10 * 60_000

/**
 * What each event adds to a stream's size beside its payload: its id, and its entries in the maps
 * of the state. Measured on billing streams: `npm run bench -- streams` compares with the heap.
 */
const bytesOfEvent = 250
const bytesOfStream = 1_000

/** The keys that decrypted a stream's events, by subject. A subject without a key has none. */
export type UsedKeys = ReadonlyMap<string, KeyForReading>

/** A folded stream in memory, and what its validity depends on. */
interface Cached {
  readonly fold: unknown
  readonly folded: FoldedStream<unknown>
  readonly keys: UsedKeys
  readonly bytes: number
}

interface CachedOf<State> extends Cached {
  readonly folded: FoldedStream<State>
}

interface StreamCacheSizes {
  readonly streams: number
  /** An estimate, which is larger than what the heap holds. */
  readonly bytes: number
}

/**
 * Folded streams that this process used last, so that a command reads only the tail of its stream.
 * A cached stream is a beginning of the stream, never its end: the reader reads on from its last
 * event, and the expected revision decides.
 *
 * A state has decrypted personal data. It leaves the cache when a key that decrypted it is
 * destroyed: at once by `forgetSubject`, and at the next use or `recheck`, which compare its keys.
 */
export interface StreamCache {
  /**
   * The stream as it was kept, if its keys still decrypt. Null otherwise.
   * @throws OtherMasterKey, EventStoreUnavailable (the table of keys does not answer)
   */
  find<State>(fold: Folding<State, never>, stream: string): Promise<CachedOf<State> | null>
  /** Read the keys before the events are decrypted: a key may be destroyed in between. */
  keysOf(events: readonly StreamEvent[]): Promise<UsedKeys>
  /** A number that changes with every `forgetSubject` and `clear`. */
  generation(): number
  /** Does nothing if `generation` has changed since the stream was read. */
  keep<State>(
    fold: Folding<State, never>,
    stream: string,
    kept: { readonly folded: FoldedStream<State>; readonly keys: UsedKeys; readonly bytes: number },
    generation: number,
  ): void
  forget(stream: string): void
  /** Removes every stream that has an event of the subject. */
  forgetSubject(subject: string): void
  /**
   * Removes the streams that were not used for `idleMs`, and those whose keys were destroyed.
   * @throws OtherMasterKey, EventStoreUnavailable. All streams are then removed.
   */
  recheck(): Promise<void>
  clear(): void
  sizes(): StreamCacheSizes
}

export interface StreamCacheOptions {
  readonly keys: Pick<PersonalKeys, 'forReading'>
  /** Default: 64 MB. */
  readonly maxBytes?: number
  /** In milliseconds. Default: 10 minutes. */
  readonly idleMs?: number
  /** Milliseconds from any moment on. Default: `performance.now`. */
  readonly now?: () => number
}

export function createStreamCache({
  keys,
  maxBytes = defaultBytes,
  idleMs = defaultIdleMs,
  now = () => performance.now(),
}: StreamCacheOptions): StreamCache {
  const cache = new LRUCache<string, Cached>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytesOfStream + bytes,
    ttl: idleMs,
    ttlResolution: 0,
    updateAgeOnGet: true,
    perf: { now },
  })
  let generation = 0

  return {
    async find<State>(fold: Folding<State, never>, stream: string) {
      const cached = cache.get(stream)
      if (cached === undefined || !isOf(cached, fold)) return null
      const present = await keys.forReading(new Set(cached.keys.keys()))
      if (haveEqualKeys(cached.keys, present)) return cached
      if (cache.peek(stream) === cached) cache.delete(stream)
      return null
    },

    async keysOf(events) {
      const subjects = events.map(({ stream, data }) => subjectOf(stream, data))
      const found = new Set(subjects.filter((subject) => subject !== null))
      return found.size === 0 ? noKeys : keys.forReading(found)
    },

    generation: () => generation,

    keep(fold, stream, kept, readAt) {
      const { revision } = kept.folded.head ?? {}
      if (readAt !== generation || revision === undefined) return
      const present = cache.peek(stream)
      // A slower command that read less.
      if (present?.fold === fold && (present.folded.head?.revision ?? -1) > revision) return
      cache.set(stream, { fold, folded: kept.folded, keys: kept.keys, bytes: kept.bytes })
    },

    forget: (stream) => void cache.delete(stream),

    forgetSubject(subject) {
      generation += 1
      for (const [stream, { keys: used }] of cache.entries())
        if (used.has(subject)) cache.delete(stream)
    },

    async recheck() {
      cache.purgeStale()
      const before = [...cache.entries()]
      const subjects = new Set(before.flatMap(([, { keys: used }]) => [...used.keys()]))
      try {
        const present = await keys.forReading(subjects)
        for (const [stream, { keys: used }] of before)
          if (!haveEqualKeys(used, present)) cache.delete(stream)
      } catch (error) {
        cache.clear()
        throw error
      }
    },

    clear() {
      generation += 1
      cache.clear()
    },

    sizes: () => ({ streams: cache.size, bytes: cache.calculatedSize }),
  }
}

const noKeys: UsedKeys = new Map()

/** The size that these events add to a cached stream, in bytes: more than the heap needs. */
export function bytesOf(events: readonly Pick<DecodedEvent, 'data'>[]): number {
  return events.reduce((bytes, { data }) => bytes + bytesOfEvent + JSON.stringify(data).length, 0)
}

/** Each fold belongs to one type of state. */
function isOf<State>(cached: Cached, fold: Folding<State, never>): cached is CachedOf<State> {
  return cached.fold === fold
}

/** Whether each used key is still the key of its subject. */
function haveEqualKeys(used: UsedKeys, present: UsedKeys): boolean {
  return [...used].every(([subject, key]) => {
    const now = present.get(subject)
    if (now === undefined || typeof key === 'string' || typeof now === 'string') return key === now
    return key.equals(now)
  })
}
