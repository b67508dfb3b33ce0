import type { DomainEvent } from '#contracts/events/catalogue'
import type { EventMetadata } from '#contracts/events/envelope'
import type { Instant } from '#contracts/instant'
import type { Decision } from '#services/foundation/decider'
import { eventIdOfCommand, eventIdOfFact } from './event-ids.ts'

/** An event that a command appended. It has no position: an append returns only the position of its last event. */
export type HandledEvent<Event> = Event & {
  readonly id: string
  readonly stream: string
  readonly revision: number
  readonly metadata: EventMetadata
}

export interface IdentifiedEvent<Event> {
  readonly id: string
  readonly event: Event
  readonly occurredAt: Instant
}

/** Gives each event of a decision its id, derived from the external fact, or from the command and a count. */
export function identify<Event extends DomainEvent>(
  decision: Decision<Event, unknown>,
  stream: string,
  commandId: string,
): readonly IdentifiedEvent<Event>[] {
  let count = 0
  return (decision.events ?? []).map(({ fact, occurredAt, ...event }) => ({
    id:
      fact === undefined
        ? eventIdOfCommand(stream, commandId, decision.kind, count++)
        : eventIdOfFact(stream, event.type, fact),
    event: event as unknown as Event,
    occurredAt,
  }))
}

/** The events that the command appended when it was handled before with this outcome. Empty if it was not. */
export function recordedBefore<Event extends DomainEvent>(
  history: readonly HandledEvent<Event>[],
  outcome: 'accepted' | 'refused',
  stream: string,
  commandId: string,
): readonly HandledEvent<Event>[] {
  const firstId = eventIdOfCommand(stream, commandId, outcome, 0)
  const first = history.find(({ id }) => id === firstId)
  if (!first) return []
  // Events of external facts have other ids, but all events of one append share causation id and time.
  const { causationId, recordedAt } = first.metadata
  return history.filter(
    ({ metadata }) => metadata.causationId === causationId && metadata.recordedAt === recordedAt,
  )
}
