import type { KeyObject } from 'node:crypto'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { chain } from '#services/event-store/audit/hash-chain'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore, StreamEvent } from '#services/event-store/event-store'

interface GenuineLog {
  readonly store: Pick<EventStore, 'append' | 'readLast'>
  readonly codec: Pick<EventCodec, 'encode'>
  readonly macKey: KeyObject
}

/** Appends the events with their hash chains, MACs and encrypted fields, as the product does. */
export async function appendGenuine(
  { store, codec, macKey }: GenuineLog,
  events: readonly RecordedEvent[],
): Promise<void> {
  const last = new Map<string, StreamEvent>()
  for (const { id, type, data, stream, metadata } of events) {
    const { previousHash: _hash, mac: _mac, ...unchained } = metadata
    const encoded = await codec.encode(stream, { id, type, data })
    const event = { id, type, data: encoded.data, metadata: unchained }
    const before = last.get(stream) ?? (await store.readLast(stream)) ?? undefined
    for (const chained of chain(stream, before, [event], macKey)) {
      const { revision } = await store.append(stream, before?.revision ?? 'no-stream', [chained])
      last.set(stream, { ...chained, stream, revision })
    }
  }
}
