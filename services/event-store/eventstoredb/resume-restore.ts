import { StartupError } from '#services/foundation/startup-error'
import type { RestoreEvents } from '../event-log.ts'
import type { EventStore } from '../event-store.ts'
import { iterateEvents } from '../event-iterator.ts'

/**
 * Resumes an interrupted restore. Skips the events that the log already has and passes the rest to
 * `restore`. The events in the log must be the first ones of the restore, in the same order.
 * @throws StartupError if the log has other events
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
        throw new StartupError('The event log already has other events. Restore into an empty log.')
      }
      known += 1
    }
    if (known < events.length) await restore(events.slice(known))
  }
}
