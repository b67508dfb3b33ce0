import type { HistoryEvent } from '#contracts/admin/history'
import { toMajorUnits } from '#contracts/currency'
import { eventLabel, eventMoney, labeledTypes, type EventType } from '#contracts/event-labels'
import { actorNames, eventSentence } from '#contracts/event-sentences'
import type { Actor } from '#contracts/events/envelope'
import type { DecodedEvent } from '#services/event-store/encryption/codec'
import type { EventEntry } from './history-queries.ts'
import type { AdministratorNames, DamagedEvent } from './read-events.ts'

/** The user whose history has an event. Null for an event about no user. */
export interface EventUser {
  readonly id: string
  readonly email: string | null
}

/**
 * A damaged event in its place, with the reason in place of its sentence. The other values are what
 * the index had read of the event.
 */
export function toDamagedHistoryEvent(
  { id, damage }: DamagedEvent,
  { stream, revision, indexed }: EventEntry,
  user: EventUser | null,
): HistoryEvent {
  const { type, actorKind, occurredAt, recordedAt } = indexed
  const known = labeledTypes.find((each) => each === type)
  return {
    id,
    stream,
    revision,
    type,
    kind: known === undefined ? 'account' : eventLabel(known).kind,
    mark: 'other',
    title: 'Damaged event',
    sentence: damage,
    amount: null,
    currency: null,
    occurred_at: occurredAt,
    recorded_at: recordedAt,
    actor: { kind: actorKind, id: 'unknown', name: actorNames[actorKind] },
    user_id: user && user.id,
    user_email: user && user.email,
  }
}

/** An event in words. */
export function toHistoryEvent(
  event: DecodedEvent,
  user: EventUser | null,
  names: AdministratorNames,
): HistoryEvent {
  const { id, stream, revision, type, metadata } = event
  const { title, kind, mark } = eventLabel(type)
  const money = eventMoney<EventType>(event)
  return {
    id,
    stream,
    revision,
    type,
    kind,
    mark,
    title,
    sentence: eventSentence<EventType>(event),
    amount: money && toMajorUnits(money.amount, money.currency),
    currency: money && money.currency,
    occurred_at: metadata.occurredAt,
    recorded_at: metadata.recordedAt,
    actor: { ...metadata.actor, name: nameOf(metadata.actor, names) },
    user_id: user && user.id,
    user_email: user && user.email,
  }
}

function nameOf({ kind, id }: Actor, names: AdministratorNames): string {
  return (kind === 'admin' ? names.get(id) : undefined) ?? actorNames[kind]
}
