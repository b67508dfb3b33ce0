import type { HistoryEvent } from '#contracts/admin/history'
import { toMajorUnits } from '#contracts/currency'
import { eventLabel, eventMoney, type EventType } from '#contracts/event-labels'
import { actorNames, eventSentence } from '#contracts/event-sentences'
import type { DecodedEvent } from '#services/event-store/encryption/codec'

/** The user whose history has an event. Null for an event about no user. */
export interface EventUser {
  readonly id: string
  readonly email: string | null
}

/** An event in words. */
export function toHistoryEvent(event: DecodedEvent, user: EventUser | null): HistoryEvent {
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
    actor: { ...metadata.actor, name: actorNames[metadata.actor.kind] },
    user_id: user && user.id,
    user_email: user && user.email,
  }
}
