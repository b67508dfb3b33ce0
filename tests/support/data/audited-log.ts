import type { KeyObject } from 'node:crypto'
import type { BillingEvent } from '#contracts/events/billing'
import type { DomainEvent, RecordedEvent } from '#contracts/events/catalogue'
import { chain } from '#services/event-store/audit/hash-chain'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore, StreamEvent } from '#services/event-store/event-store'
import { streamOwner } from '#services/foundation/stream-names'
import { accountOpened, profileCompleted } from './events.ts'
import { financeEvents } from './finance-log.ts'

interface AuditedLog {
  readonly store: Pick<EventStore, 'append' | 'readLast'>
  readonly codec: EventCodec
  readonly macKey: KeyObject
}

/** What a customer typed: the text is in no other customer's events. */
export const privateTextOf = (userId: string) => `Private text of ${userId}.`

/**
 * The events of `financeEvents`, with an account for each customer and a name on each payment, in
 * the order in which they were recorded.
 */
export function auditedEvents(): readonly RecordedEvent[] {
  const known = new Set<string>()
  return financeEvents().flatMap((event) => {
    const userId = streamOwner(event.stream)
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

/** Appends the events with their hash chains, MACs and encrypted fields, as the product does. */
export async function appendAudited(
  { store, codec, macKey }: AuditedLog,
  events: readonly RecordedEvent[],
): Promise<void> {
  const last = new Map<string, StreamEvent>()
  for (const { id, type, data, stream, metadata } of events) {
    const { previousHash: _hash, mac: _mac, ...unchained } = metadata
    const encoded = await codec.encode(stream, { id, type, data })
    const event = { id, type, data: encoded.data, metadata: unchained }
    const before = last.get(stream) ?? (await store.readLast(stream)) ?? undefined
    for (const chained of chain(stream, before, [event], macKey)) {
      const { revision } = await store.append(stream, before?.revision ?? 'no-stream', [chained])
      last.set(stream, { ...chained, stream, revision })
    }
  }
}

function withName(event: RecordedEvent<BillingEvent>): RecordedEvent<DomainEvent> {
  if (event.type !== 'PaymentSucceeded') return event
  const customerName = privateTextOf(streamOwner(event.stream))
  return { ...event, data: { ...event.data, customerName } }
}
