import { z } from 'zod'
import { instant } from '../instant.ts'

export const actor = z.object({
  kind: z.enum(['customer', 'admin', 'payment-provider', 'system']),
  id: z.string(),
})
export type Actor = z.infer<typeof actor>

/** How the fact reached us. */
export const source = z.enum(['api', 'webhook', 'sync', 'reconciler', 'system'])
export type Source = z.infer<typeof source>

/**
 * What is stored beside every payload. `occurredAt` is when it was so in the world, `recordedAt`
 * when we learned it. `previousHash` chains the events of a stream: null for its first one.
 */
export const eventMetadata = z.object({
  correlationId: z.string(),
  causationId: z.string(),
  actor,
  occurredAt: instant,
  recordedAt: instant,
  schemaVersion: z.int().min(1),
  source,
  previousHash: z.string().nullable(),
  /** The provider's own words on where a fact came from, when it did. */
  provider: z
    .object({ eventId: z.string(), created: instant, apiVersion: z.string().nullable() })
    .optional(),
})
export type EventMetadata = z.infer<typeof eventMetadata>
