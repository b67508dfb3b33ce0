import type { EventStore } from '#services/event-store/event-store'
import { isDamaged, newerEvent, type NewerEvent } from '#services/event-store/newer-event'
import { neededRelease } from '#services/event-store/newer-release'
import { schemaOf, type ReadModel } from '../read-model.ts'
import type { PausedEvent } from '../run/checkpoint.ts'

/**
 * The error of a parked or paused event that a newer release wrote. Null if this release knows the
 * event, or if the log does not have it. The log decides and not the stored reason: the newer
 * release can have stored the reason before a rollback.
 */
export async function newerAt(
  store: Pick<EventStore, 'readStream'>,
  { id, stream, revision }: PausedEvent,
): Promise<NewerEvent | null> {
  try {
    const events = await store.readStream(stream, revision, 1)
    const event = events.find((each) => each.id === id)
    return event === undefined ? null : newerEvent(event)
  } catch (error) {
    // Another program wrote the event in another format.
    if (isDamaged(error)) return null
    throw error
  }
}

/** Why this release must not skip the event: a skip would also apply to the newer release. */
export function skipRefusal(model: Pick<ReadModel, 'name' | 'version'>, newer: NewerEvent): string {
  const { type, stream, revision } = newer
  return `${schemaOf(model)} cannot skip ${type} (${stream}, revision ${revision}): start ${neededRelease(newer)}, which knows this event.`
}
