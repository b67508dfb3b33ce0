import { StartupError } from '#services/foundation/startup-error'
import type { RestoreEvents } from '../event-log.ts'
import type { EventStore } from '../event-store.ts'
import { iterateEvents } from '../event-iterator.ts'

/**
 * Passes over the events that the log has already, which must be the first ones of those that come, in the same order;
 * the rest goes to `restore`. So what stopped halfway is simply done again.
 * @throws StartupError for a log that has other events
 */
export function resumeRestore(
  store: Pick<EventStore, 'readAll'>,
  restore: RestoreEvents,
): RestoreEvents {
  const present = iterateEvents(store.readAll(null))
  let isBehind = true

  return async function restoreRest(events) {
    let known = 0
    for (const event of isBehind ? events : []) {
      const next = await present.next()
      isBehind = next !== null
      if (next === null) break
      if (
        event.id !== next.id ||
        event.stream !== next.stream ||
        event.revision !== next.revision
      ) {
        throw new StartupError(
          'The event log has other events already: bring these into an empty one.',
        )
      }
      known += 1
    }
    if (known < events.length) await restore(events.slice(known))
  }
}
