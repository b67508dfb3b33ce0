import { randomUUID } from 'node:crypto'
import type { EventWithMetadata } from '#services/event-store/audit/hash-chain'

/**
 * An event as the store accepts it. The store does not know the catalogue, so any type and any
 * payload are valid.
 */
export function someEvent(over: Partial<EventWithMetadata> = {}): EventWithMetadata {
  return {
    id: randomUUID(),
    type: 'SomethingHappened',
    data: { amount: 3900, currency: 'usd' },
    metadata: {
      correlationId: 'correlation',
      causationId: 'causation',
      actor: { kind: 'system', id: 'test' },
      occurredAt: '2026-03-03T09:12:00.000Z',
      recordedAt: '2026-03-03T09:12:01.000Z',
      schemaVersion: 1,
      source: 'system',
      previousHash: null,
      mac: '',
    },
    ...over,
  }
}

export function someEvents(count: number): readonly EventWithMetadata[] {
  return Array.from({ length: count }, () => someEvent())
}
