import type { ProviderRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import type { PaymentReference, ProviderEvent } from './provider-event.ts'

/** A subscription, an invoice or a refund at the provider, and its customer. */
export interface CustomerObject {
  readonly kind: 'subscription' | 'invoice' | 'refund'
  readonly ref: ProviderRef
  readonly customerRef: ProviderRef | null
}

/**
 * What happened at the provider, read from there: for the reconciler, and for webhooks that name no
 * customer. Every call rejects with `PaymentProviderUnavailable` or `PaymentProviderRefused`.
 */
export interface EventFeed {
  /**
   * The events created at `created` or later, oldest first. With null, all events that the provider
   * still has.
   */
  since(created: Instant | null): Promise<readonly ProviderEvent[]>
  /** When the provider created its newest event, by its own clock. Null if it has none. */
  newest(): Promise<Instant | null>
  /** Null if the provider does not have the event. */
  retrieve(eventRef: ProviderRef): Promise<ProviderEvent | null>
  /** The customer of a charge, a payment intent or an invoice. Null if it has none. */
  customerOf(reference: PaymentReference): Promise<ProviderRef | null>
  /** Every subscription, invoice and refund of the provider's account. */
  customerObjects(): AsyncIterable<CustomerObject>
}
