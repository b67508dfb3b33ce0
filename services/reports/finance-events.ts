import { billingEvents } from '#contracts/events/billing'
import { eventCatalogue, type RecordedEvent } from '#contracts/events/catalogue'
import type { StoredEvent } from '#services/event-store/event-store'
import { categoryOf } from '#services/foundation/stream-names'
import type { FinanceEvent } from '#services/finance/finance-event'

/** Only these streams have events that reports and closes read. */
export function isOfFinance({ stream }: Pick<StoredEvent, 'stream'>): boolean {
  const category = categoryOf(stream)
  return category === 'billing' || category === 'close'
}

export function isFinanceEvent(event: RecordedEvent): event is FinanceEvent {
  return Object.hasOwn(billingEvents, event.type)
}

/** A newer release wrote the event. To decode it fails: the event could be about money. */
export function isOfUnknownType({ type }: Pick<StoredEvent, 'type'>): boolean {
  return !Object.hasOwn(eventCatalogue, type)
}
