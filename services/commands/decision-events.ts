import type { DomainEvent } from '#contracts/events/catalogue'
import type { EventMetadata } from '#contracts/events/envelope'
import type { Decided } from '#services/foundation/decider'
import { eventIdOfCommand, eventIdOfFact } from './event-ids.ts'

/**
 * An event that a command appended. It has no position: an append returns only the position of its
 * last event.
 */
export type HandledEvent<Event> = Event & {
  readonly id: string
  readonly stream: string
  readonly revision: number
  readonly metadata: EventMetadata
}

export interface IdentifiedEvent<Event> {
  readonly id: string
  readonly event: Decided<Event>
}

/**
 * Gives each decided event its id, derived from the external fact, or from the command and a count.
 */
export function identify<Event extends DomainEvent>(
  events: readonly Decided<Event>[],
  stream: string,
  commandId: string,
): readonly IdentifiedEvent<Event>[] {
  let count = 0
  return events.map((event) => ({
    id:
      event.fact === undefined
        ? eventIdOfCommand(stream, commandId, count++)
        : eventIdOfFact(stream, event.type, event.fact),
    event,
  }))
}
