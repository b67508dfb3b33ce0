import { StartupError } from '../startup-error.ts'
import type { RestoreEvents } from './event-log.ts'
import type { EventStore, StoredEvent } from './event-store.ts'

/**
 * Passes over the events that the log has already, which must be the first ones of those that come, in the same order;
 * the rest goes to `restore`. So what stopped halfway is simply done again.
 * @throws StartupError for a log that has other events
 */
export function resumeRestore(store: Pick<EventStore, 'readAll'>, restore: RestoreEvents): RestoreEvents {
  let present: AsyncIterator<StoredEvent> | null = eachOf(store.readAll(null))

  return async function restoreRest(events) {
    let rest = events
    while (present !== null && rest.length > 0) {
      const next = await present.next()
      const [event] = rest
      if (next.done) {
        present = null
      } else if (event?.id === next.value.id && event.stream === next.value.stream && event.revision === next.value.revision) {
        rest = rest.slice(1)
      } else {
        throw new StartupError('The event log has other events already: bring these into an empty one.')
      }
    }
    if (rest.length > 0) await restore(rest)
  }
}

async function* eachOf(pages: AsyncIterable<readonly StoredEvent[]>): AsyncGenerator<StoredEvent> {
  for await (const page of pages) yield* page
}
