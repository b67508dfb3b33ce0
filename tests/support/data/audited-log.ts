import type { DomainEvent, RecordedEvent } from '#contracts/events/catalogue'
import { customerOf, type FinanceEvent } from '#services/finance/finance-event'
import { streamOwner } from '#services/foundation/stream-names'
import { accountOpened, profileCompleted } from './events.ts'
import { financeEvents } from './finance-log.ts'

/** What a customer typed: the text is in no other customer's events. */
export const privateTextOf = (userId: string) => `Private text of ${userId}.`

/**
 * The events of `financeEvents`, with an account for each customer and a name on each payment, in
 * the order in which they were recorded.
 */
export function auditedEvents(): readonly RecordedEvent[] {
  const known = new Set<string>()
  return financeEvents().flatMap((event) => {
    const userId = customerOf(event)
    const named = withName(event)
    if (known.has(userId)) return [named]
    known.add(userId)
    const place = { occurredAt: event.metadata.occurredAt }
    const text = privateTextOf(userId)
    return [
      accountOpened(userId, `${userId}@private.example`, place),
      profileCompleted(userId, { fullName: text, companyName: text }, { ...place, revision: 1 }),
      named,
    ]
  })
}

function withName(event: FinanceEvent): RecordedEvent<DomainEvent> {
  if (event.type !== 'PaymentSucceeded') return event
  const customerName = privateTextOf(streamOwner(event.stream))
  return { ...event, data: { ...event.data, customerName } }
}
