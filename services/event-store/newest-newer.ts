import { isNewerRelease } from '#services/foundation/is-newer-release'
import type { EventStore, StreamEvent } from './event-store.ts'
import { newerEvent, type NewerEvent } from './newer-event.ts'

/**
 * An event of the newest release that wrote an event which this release does not know and that
 * `isNeeded`. Null if this release knows all of them. Reads the whole log: an event need not name
 * its release, and an older release can write after a newer one.
 */
export async function newestNewer(
  store: Pick<EventStore, 'readBackwards'>,
  onEvents: (count: number) => void = () => undefined,
  isNeeded: (event: StreamEvent) => boolean = () => true,
): Promise<NewerEvent | null> {
  let newest: NewerEvent | null = null
  // Another program can write into EventStoreDB. Only this direction reads past its events.
  for await (const page of store.readBackwards()) {
    for (const event of page) {
      const newer = isNeeded(event) ? newerEvent(event) : null
      if (newer !== null && (newest === null || isLater(newer, newest))) newest = newer
    }
    onEvents(page.length)
  }
  return newest
}

/** An event that does not name its release is earlier than one that does. */
function isLater({ writtenBy }: NewerEvent, than: NewerEvent): boolean {
  return (
    writtenBy !== null && (than.writtenBy === null || isNewerRelease(writtenBy, than.writtenBy))
  )
}
