import type { MerchantEvent } from '#contracts/events/merchant'
import type { Instant } from '#contracts/instant'
import type { HandledEvent } from '#services/commands/decision-events'

/**
 * Since when the merchant's reminders can go out, from its stream: they were turned on, or an
 * administrator allowed them again. Null: they were never on.
 */
export function sendingStart(events: readonly HandledEvent<MerchantEvent>[]): Instant | null {
  const last = (type: MerchantEvent['type']) =>
    events.findLast((event) => event.type === type)?.metadata.occurredAt ?? ''
  const turnedOn = last('RemindersTurnedOn')
  if (turnedOn === '') return null
  const allowed = last('SendingAllowed')
  return allowed > turnedOn ? allowed : turnedOn
}
