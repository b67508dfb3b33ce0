import { eventCatalogue, eventsByCategory } from '#contracts/events/catalogue'
import type { EventDefinitions } from '#contracts/events/define-event'
import { categoryOf } from '#services/foundation/stream-names'
import type { StoredEvent } from './event-store.ts'

/**
 * Whether an event has one of these types, or can have had one of them before its type was damaged.
 * A reader that chooses events by type must read such an event, which fails: a skip would lose the
 * fact. Events of a newer release are no input: the reader stops before them.
 */
export function canBeOneOf(
  types: ReadonlySet<string>,
  catalogue: EventDefinitions = eventCatalogue,
): (event: Pick<StoredEvent, 'type' | 'stream'>) => boolean {
  const categories = new Set(
    Object.entries(eventsByCategory)
      .filter(([, definitions]) => Object.keys(definitions).some((type) => types.has(type)))
      .map(([category]) => category),
  )
  return ({ type, stream }) =>
    types.has(type) || (!Object.hasOwn(catalogue, type) && categories.has(categoryOf(stream)))
}
