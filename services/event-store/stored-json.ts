import { z } from 'zod'
import type { JsonObject, StoredEvent } from './event-store.ts'

/**
 * The data or metadata of a stored event. No store checks it. The codec parses data and metadata by
 * their contracts. Verify, count and copy must also see a damaged event.
 */
export const storedObject = z.custom<JsonObject>((value) => value !== undefined)

/** An event in a file: an `EventToRestore`. */
export const eventInFile = z.object({
  id: z.guid(),
  type: z.string(),
  stream: z.string(),
  revision: z.int32().min(0),
  data: storedObject,
  metadata: storedObject,
})

/** Data and metadata as EventStoreDB returns them, unchecked as in `storedObject`. */
export function storedJson(
  data: unknown,
  metadata: unknown,
): Pick<StoredEvent, 'data' | 'metadata'> {
  return { data: data as JsonObject, metadata: metadata as JsonObject }
}
