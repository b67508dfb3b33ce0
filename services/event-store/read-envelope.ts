import { z } from 'zod'
import { eventCatalogue, type DomainEvent } from '#contracts/events/catalogue'
import type { EventDefinition, EventDefinitions } from '#contracts/events/define-event'
import { eventMetadata, type EventMetadata } from '#contracts/events/envelope'
import { UnreadableEvent } from './errors.ts'
import type { StoredEvent, StreamEvent } from './event-store.ts'

/**
 * An event whose payload was neither decrypted nor parsed: `data` is as stored, and may have an
 * older schema version.
 */
export type EventEnvelope = Omit<StoredEvent, 'type' | 'data' | 'metadata'> & {
  readonly type: DomainEvent['type']
  readonly data: unknown
  readonly metadata: EventMetadata
}

/** What is known about the event's type. @throws UnreadableEvent if nothing is */
export function knownType<Known>(event: StreamEvent, known: Known | undefined): Known {
  if (known !== undefined) return known
  throw new UnreadableEvent(
    event,
    'its type is not in the catalogue. A newer release wrote it: run that release.',
  )
}

/**
 * The event's metadata.
 * @throws UnreadableEvent for broken metadata, or if the schema version is newer than the type's
 */
export function readMetadata(
  event: StreamEvent,
  { version }: Pick<EventDefinition, 'version'>,
): EventMetadata {
  const metadata = eventMetadata.safeParse(event.metadata)
  if (!metadata.success)
    throw new UnreadableEvent(
      event,
      `its metadata is broken. Run 'billing events verify'. ${z.prettifyError(metadata.error)}`,
    )
  const { schemaVersion } = metadata.data
  if (schemaVersion > version)
    throw new UnreadableEvent(
      event,
      `it has schema version ${schemaVersion}, and this release knows version ${version}. A newer release wrote it: run that release.`,
    )
  return metadata.data
}

/** Reads an event without its payload. @throws UnreadableEvent */
export function readEnvelope(
  { id, type, stream, revision, position, data, metadata }: StoredEvent,
  catalogue: EventDefinitions = eventCatalogue,
): EventEnvelope {
  const event = { id, type, stream, revision, position, data, metadata }
  const definition = knownType(event, Object.hasOwn(catalogue, type) ? catalogue[type] : undefined)
  const checked: unknown = { ...event, metadata: readMetadata(event, definition) }
  // The type is in the catalogue.
  return checked as EventEnvelope
}
