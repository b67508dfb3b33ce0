import { accountEvents, type AccountEvent } from './account.ts'
import { adminAccessEvents, type AdminAccessEvent } from './admin-access.ts'
import { billingEvents, type BillingEvent } from './billing.ts'
import { emailClaimEvents, type EmailClaimEvent } from './email-claim.ts'
import type { EventDefinitions } from './define-event.ts'
import type { EventMetadata } from './envelope.ts'

/** Every event type that the log can contain. The codec refuses to write or read any other type. */
export const eventCatalogue: EventDefinitions = {
  ...accountEvents,
  ...adminAccessEvents,
  ...billingEvents,
  ...emailClaimEvents,
}

export type DomainEvent = AccountEvent | AdminAccessEvent | BillingEvent | EmailClaimEvent

/**
 * An event as deciders and projections receive it: decrypted and upcast to the current schema
 * version. `revision` counts from 0 within the stream. `position` orders the whole log and is
 * opaque outside the event store's adapter.
 */
export type RecordedEvent<Event extends { type: string; data: unknown } = DomainEvent> = Event & {
  readonly id: string
  readonly stream: string
  readonly revision: number
  readonly position: string
  readonly metadata: EventMetadata
}
