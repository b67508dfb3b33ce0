import type { KeyObject } from 'node:crypto'
import type { CategoryOf, DomainEvent } from '#contracts/events/catalogue'
import { chain } from '#services/event-store/audit/hash-chain'
import type { EventCodec } from '#services/event-store/encryption/codec'
import { EventIdTaken } from '#services/event-store/errors'
import type { EventStore, Position, StreamEvent } from '#services/event-store/event-store'
import type { Clock } from '#services/foundation/clock'
import type { Decided } from '#services/foundation/decider'
import type { StreamName } from '#services/foundation/stream-names'
import type { CommandContext } from './command-context.ts'
import { identify } from './decision-events.ts'
import { encodeEvents } from './encode-events.ts'

export interface RecordRequest<Event extends DomainEvent> {
  readonly stream: StreamName<CategoryOf<Event>>
  readonly event: Decided<Event>
  readonly context: CommandContext
  /**
   * The command may be a repeat, with other events in between. The last 50 events of the stream are
   * then read, too. PostgreSQL recognises older repeats.
   */
  readonly mayRepeat?: boolean
}

const repeatsWithin = 50

/** A reader that has reached this position has read the recorded event. */
export interface Recorded {
  readonly position: Position | null
}

/**
 * Appends one event that no decision depends on. Only the stream's last event is read, for the
 * expected revision and the hash chain, so the cost does not grow with the stream. A repeat right
 * after the first append is recognised. Without `mayRepeat`, PostgreSQL refuses an older repeat.
 * @throws WrongExpectedRevision if another writer was first; EventStoreUnavailable, EventIdTaken
 */
export async function recordOnce<Event extends DomainEvent>(
  {
    store,
    codec,
    clock,
    macKey,
  }: { store: EventStore; codec: EventCodec; clock: Clock; macKey: KeyObject },
  { stream, event, context, mayRepeat = false }: RecordRequest<Event>,
): Promise<Recorded> {
  const last = await store.readLast(stream)
  const identified = identify([event], stream, context.commandId)
  const isRecorded = (events: readonly StreamEvent[]) =>
    identified.some(({ id }) => events.some((each) => each.id === id))
  if (last !== null && isRecorded([last]))
    return { position: last.position ?? (await store.lastPosition()) }
  if (mayRepeat && last !== null && last.revision > 0) {
    const from = Math.max(0, last.revision - repeatsWithin)
    if (isRecorded(await store.readStream(stream, from, repeatsWithin)))
      return { position: await store.lastPosition() }
  }
  const recordedAt = clock.now().toISOString()
  const encoded = await encodeEvents(codec, stream, identified, context, recordedAt)
  try {
    const chained = chain(stream, last ?? undefined, encoded, macKey)
    return {
      position: (await store.append(stream, last?.revision ?? 'no-stream', chained)).position,
    }
  } catch (error) {
    // The id is of this stream and this command, so the event is the first append.
    if (mayRepeat && error instanceof EventIdTaken) return { position: await store.lastPosition() }
    throw error
  }
}
