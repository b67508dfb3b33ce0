import type { EventDefinitions } from '#contracts/events/define-event'
import type { StoredEvent } from '#services/event-store/event-store'
import { refuseNewer } from '#services/event-store/newer-event'

/** The pages that were checked. Rebuilds that share the log read the same arrays. */
const checked = new WeakMap<readonly StoredEvent[], EventDefinitions>()

/**
 * As `refuseNewer`, also for events that the read model does not fold. Those `behind` a parked
 * event wait with it. @throws NewerEvent
 */
export function refuseNewerOnce(
  events: readonly StoredEvent[],
  behind: readonly StoredEvent[],
  catalogue: EventDefinitions,
): void {
  if (checked.get(events) === catalogue) return
  if (behind.length > 0) {
    const waiting = new Set(behind.map(({ id }) => id))
    return refuseNewer(
      events.filter(({ id }) => !waiting.has(id)),
      catalogue,
    )
  }
  refuseNewer(events, catalogue)
  checked.set(events, catalogue)
}
