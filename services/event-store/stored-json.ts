import type { EventMetadata } from '#contracts/events/envelope'
import type { JsonObject, StoredEvent } from './event-store.ts'

/**
 * The JSON of an event as the store returns it, with the types of a valid event. No store checks it: the codec
 * parses data and metadata by their contracts before commands and projections receive them, and readers that
 * verify, count or copy the log must see a damaged event as well.
 */
export function storedJson(
  data: unknown,
  metadata: unknown,
): Pick<StoredEvent, 'data' | 'metadata'> {
  return { data: data as JsonObject, metadata: metadata as EventMetadata }
}
