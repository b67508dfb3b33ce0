import type { UserId } from '#contracts/ids'
import type { DecodedEvent, EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore } from '#services/event-store/event-store'
import { accountStream, streamsOfUser } from '#services/foundation/stream-names'

export interface UserEventParts {
  readonly store: Pick<EventStore, 'readStream'>
  readonly codec: Pick<EventCodec, 'decodeStream'>
}

/**
 * Every event of the user's streams, decrypted, in the order in which they were recorded.
 * @throws EventStoreUnavailable, UnreadableEvent
 */
export async function eventsOfUser(
  { store, codec }: UserEventParts,
  userId: UserId,
): Promise<readonly DecodedEvent[]> {
  const streams = await Promise.all(
    streamsOfUser(userId).map(async (stream) => codec.decodeStream(await store.readStream(stream))),
  )
  return streams.flat().sort(byTimeOfRecord)
}

/** The order in which events of several streams were recorded. */
export function byTimeOfRecord(a: DecodedEvent, b: DecodedEvent): number {
  return Date.parse(a.metadata.recordedAt) - Date.parse(b.metadata.recordedAt)
}

/** When the account was opened. Null if the account does not exist. */
export async function accountOpenedAt(
  { store, codec }: UserEventParts,
  userId: UserId,
): Promise<string | null> {
  const [opened] = await codec.decodeStream(await store.readStream(accountStream(userId)))
  return opened?.metadata.occurredAt ?? null
}
