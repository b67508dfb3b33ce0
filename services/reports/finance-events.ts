import { billingEvents } from '#contracts/events/billing'
import { eventCatalogue, type RecordedEvent } from '#contracts/events/catalogue'
import { newerEvent } from '#services/event-store/newer-event'
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

/**
 * A newer release wrote the event, or its type is damaged. To decode it fails. A report must fail
 * too, also if it does not read the type: the event could be about its money.
 */
export function isOfUnknownForm(event: StoredEvent): boolean {
  return !Object.hasOwn(eventCatalogue, event.type) || newerEvent(event) !== null
}
