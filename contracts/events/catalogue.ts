import { accountEvents, type AccountEvent } from './account.ts'
import { adminAccessEvents, type AdminAccessEvent } from './admin-access.ts'
import { billingEvents, type BillingEvent } from './billing.ts'
import { emailClaimEvents, type EmailClaimEvent } from './email-claim.ts'
import type { EventDefinitions } from './define-event.ts'
import type { EventMetadata } from './envelope.ts'

/** Every event that the log may hold. A type that is not here cannot be written, nor read silently. */
export const eventCatalogue: EventDefinitions = {
  ...accountEvents,
  ...adminAccessEvents,
  ...billingEvents,
  ...emailClaimEvents,
}

export type DomainEvent = AccountEvent | AdminAccessEvent | BillingEvent | EmailClaimEvent

/**
 * An event as deciders and projections see it: decrypted, at today's version, with its place.
 * `revision` counts from 0 within its stream; `position` orders the whole log and is opaque
 * outside the event store's adapter.
 */
export type RecordedEvent<Event extends { type: string; data: unknown } = DomainEvent> = Event & {
  readonly id: string
  readonly stream: string
  readonly revision: number
  readonly position: string
  readonly metadata: EventMetadata
}
