import type { EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore } from '#services/event-store/event-store'
import { categoryOf } from '#services/foundation/stream-names'

/** The reads of streams since `reset`. */
export interface StreamReads {
  /** Reads from the first event on, by category: of streams that have an event. */
  readonly whole: Readonly<Record<string, number>>
  /** Reads that begin later. */
  readonly tails: Readonly<Record<string, number>>
  readonly decryptedEvents: number
}

/** A store and a codec that count what a command handler reads and decrypts. */
export function countReads(store: EventStore, codec: EventCodec) {
  const none = () => ({
    whole: {} as Record<string, number>,
    tails: {} as Record<string, number>,
    decryptedEvents: 0,
  })
  let reads = none()
  return {
    store: {
      ...store,
      async readStream(stream, from = 0, max) {
        const events = await store.readStream(stream, from, max)
        const kind = from === 0 ? reads.whole : reads.tails
        const category = categoryOf(stream)
        if (events.length > 0) kind[category] = (kind[category] ?? 0) + 1
        return events
      },
    } satisfies EventStore,
    codec: {
      ...codec,
      decodeStream(events) {
        reads = { ...reads, decryptedEvents: reads.decryptedEvents + events.length }
        return codec.decodeStream(events)
      },
    } satisfies EventCodec,
    reset(): void {
      reads = none()
    },
    since: (): StreamReads => reads,
  }
}
