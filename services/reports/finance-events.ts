import { eventCatalogue } from '#contracts/events/catalogue'
import { newerEvent } from '#services/event-store/newer-event'
import type { StoredEvent } from '#services/event-store/event-store'
import { isPlatformFee } from '#services/finance/finance-event'
import { categoryOf } from '#services/foundation/stream-names'

/** Only these streams have events that reports and closes read. */
export function isInStreamOfFinance({ stream }: Pick<StoredEvent, 'stream'>): boolean {
  const category = categoryOf(stream)
  return category === 'billing' || category === 'close' || category === 'client'
}

/**
 * Whether reports and closes read the event. The stream of a client has fees of the product among
 * many events without money.
 */
export function isOfFinance(event: StoredEvent): boolean {
  if (!isInStreamOfFinance(event)) return false
  return categoryOf(event.stream) !== 'client' || isPlatformFee(event) || isOfUnknownForm(event)
}

/**
 * A newer release wrote the event, or its type is damaged. To decode it fails. A report must fail
 * too, also if it does not read the type: the event could be about its money.
 */
export function isOfUnknownForm(event: StoredEvent): boolean {
  return !Object.hasOwn(eventCatalogue, event.type) || newerEvent(event) !== null
}
