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

/**
 * The events that the command appended when it was handled before. Empty if it was not, or if it
 * appended none.
 */
export function recordedBefore<Event extends DomainEvent>(
  history: readonly HandledEvent<Event>[],
  stream: string,
  commandId: string,
): readonly HandledEvent<Event>[] {
  const firstId = eventIdOfCommand(stream, commandId, 0)
  const first = history.find(({ id }) => id === firstId)
  if (!first) return []
  // Events of external facts have other ids, but all events of one append share causation id and
  // time.
  const { causationId, recordedAt } = first.metadata
  return history.filter(
    ({ metadata }) => metadata.causationId === causationId && metadata.recordedAt === recordedAt,
  )
}
