import type { ProviderRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'

/** An object at the provider that names a customer, for an event whose own object names none. */
export interface PaymentReference {
  readonly kind: 'charge' | 'payment' | 'invoice'
  readonly ref: ProviderRef
}

/**
 * An event of the provider. The event only names the customer that changed, not the change. Texts
 * are storable.
 */
export interface ProviderEvent {
  readonly eventRef: ProviderRef
  readonly type: string
  readonly created: Instant
  readonly apiVersion: string | null
  /** The event's object. */
  readonly objectRef: ProviderRef | null
  readonly customerRef: ProviderRef | null
  /** Where the customer of a refund, a dispute or an invoice payment is found. */
  readonly reference: PaymentReference | null
  /** The user id in the metadata of the event's object. It is not verified. */
  readonly claimedUserId: string | null
  /**
   * The time of the oldest change that the synchronization must find in the provider's events, even
   * if a later change reverted it. Null if the event reports no such change.
   */
  readonly changesSince: Instant | null
}
