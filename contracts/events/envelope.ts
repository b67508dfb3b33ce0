import { z } from 'zod'
import { providerRef } from './provider-ref.ts'
import { instant } from '../instant.ts'

const actor = z.object({
  kind: z.enum(['customer', 'admin', 'payment-provider', 'system']),
  id: z.string(),
})
export type Actor = z.infer<typeof actor>

/** The path by which the fact reached the product. */
const source = z.enum(['api', 'webhook', 'sync', 'reconciler', 'system'])
export type Source = z.infer<typeof source>

/**
 * The metadata of every event. `occurredAt` is when the fact happened, `recordedAt` is when the
 * product recorded it. `previousHash` chains the events of a stream; it is null in the first event.
 * `mac` authenticates the event: HMAC-SHA-256 under a key derived from AUDIT_KEY.
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
  mac: z.string(),
  /** The release of the product that wrote the event, such as `1.0.0`. */
  release: z.string().optional(),
  /** The provider's event that led to this fact, if the fact came by a webhook. */
  provider: z
    .object({ eventRef: providerRef, created: instant, apiVersion: z.string().nullable() })
    .optional(),
})
export type EventMetadata = z.infer<typeof eventMetadata>
