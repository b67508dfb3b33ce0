import type { DecodedEvent, EventCodec } from '#services/event-store/encryption/codec'
import type { StreamEvent } from '#services/event-store/event-store'

/**
 * A codec that decodes each event once: for a simulation that reads the same streams thousands of
 * times, and erases no personal data.
 */
export function rememberingCodec(codec: EventCodec): EventCodec {
  const decoded = new Map<string, DecodedEvent>()
  const keyOf = ({ stream, revision, id }: StreamEvent) => `${stream} ${revision} ${id}`
  return {
    ...codec,
    async decodeStream(events) {
      const fresh = events.filter((event) => !decoded.has(keyOf(event)))
      for (const event of fresh.length === 0 ? [] : await codec.decodeStream(fresh))
        decoded.set(keyOf(event), event)
      return events.flatMap((event) => decoded.get(keyOf(event)) ?? [])
    },
  }
}
