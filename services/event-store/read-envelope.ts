import { eventCatalogue, type DomainEvent } from '#contracts/events/catalogue'
import type { EventDefinitions } from '#contracts/events/define-event'
import { eventMetadata, type EventMetadata } from '#contracts/events/envelope'
import { damagedAdvice, UnreadableEvent } from './errors.ts'
import type { StoredEvent, StreamEvent } from './event-store.ts'
import { issuesInALine } from './issues-in-a-line.ts'
import { unknownEvent } from './newer-event.ts'

/**
 * An event whose payload was neither decrypted nor parsed: `data` is as stored, and may have an
 * older schema version.
 */
export type EventEnvelope = Omit<StoredEvent, 'type' | 'data' | 'metadata'> & {
  readonly type: DomainEvent['type']
  readonly data: unknown
  readonly metadata: EventMetadata
}

/**
 * What is known about the event's type. @throws NewerEvent, UnreadableEvent for a type or schema
 * version that no release wrote
 */
export function knownType<Known>(
  event: StreamEvent,
  known: Known | undefined,
  catalogue: EventDefinitions,
): Known {
  const unknown = unknownEvent(event, catalogue)
  if (unknown !== null) throw unknown
  if (known === undefined)
    throw new Error(`${event.type} is in the catalogue and was not prepared.`)
  return known
}

/** The event's metadata. @throws UnreadableEvent for broken metadata */
export function readMetadata(event: StreamEvent): EventMetadata {
  const metadata = eventMetadata.safeParse(event.metadata)
  if (metadata.success) return metadata.data
  throw new UnreadableEvent(
    event,
    `its metadata is broken. ${damagedAdvice} ${issuesInALine(metadata.error)}`,
  )
}

/** Reads an event without its payload. @throws NewerEvent, UnreadableEvent */
export function readEnvelope(
  event: StoredEvent,
  catalogue: EventDefinitions = eventCatalogue,
): EventEnvelope {
  const { id, type, stream, revision, position, data } = event
  knownType(event, Object.hasOwn(catalogue, type) ? catalogue[type] : undefined, catalogue)
  const metadata = readMetadata(event)
  const checked: unknown = { id, type, stream, revision, position, data, metadata }
  // The type is in the catalogue.
  return checked as EventEnvelope
}
