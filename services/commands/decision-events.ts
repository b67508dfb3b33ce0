import type { DomainEvent } from '#contracts/events/catalogue'
import type { EventMetadata } from '#contracts/events/envelope'
import type { Instant } from '#contracts/instant'
import type { Decision } from '#services/foundation/decider'
import { eventIdOfCommand, eventIdOfFact } from './event-ids.ts'

/** An event that a command became. Where it is in the whole log, only the store knows of each. */
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

/** Gives each event of a decision its id: of the outside fact, or of the command and a count. */
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

/** The events that a command became when it was handled before with this outcome; none when it was not. */
export function recordedBefore<Event extends DomainEvent>(
  history: readonly HandledEvent<Event>[],
  outcome: 'accepted' | 'refused',
  stream: string,
  commandId: string,
): readonly HandledEvent<Event>[] {
  const firstId = eventIdOfCommand(stream, commandId, outcome, 0)
  const first = history.find(({ id }) => id === firstId)
  if (!first) return []
  // Facts have ids of their own; what one append wrote has one cause and one moment.
  const { causationId, recordedAt } = first.metadata
  return history.filter(
    ({ metadata }) => metadata.causationId === causationId && metadata.recordedAt === recordedAt,
  )
}
