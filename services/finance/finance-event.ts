import { billingEvents, type BillingEvent } from '#contracts/events/billing'
import type { RecordedEvent } from '#contracts/events/catalogue'
import type { ClientEvent } from '#contracts/events/client'
import { streamOwner } from '#services/foundation/stream-names'

/** The product's fee on the payments of clients: the only money of the product in their streams. */
export type PlatformFeeEvent = Extract<
  ClientEvent,
  { readonly type: 'PlatformFeeCharged' | 'PlatformFeeReturned' }
>

const platformFeeTypes = {
  PlatformFeeCharged: true,
  PlatformFeeReturned: true,
} as const satisfies Readonly<Record<PlatformFeeEvent['type'], true>>

/** An event that finance reads. Its personal fields may read as '[erased]': no rule needs one. */
export type FinanceEvent = RecordedEvent<BillingEvent | PlatformFeeEvent>

/** A finance event of one of these types. */
export type FinanceEventOf<Type extends FinanceEvent['type']> = RecordedEvent<
  Extract<BillingEvent | PlatformFeeEvent, { type: Type }>
>

export function isFinanceEvent<Event extends RecordedEvent>(
  event: Event,
): event is Event & FinanceEvent {
  return Object.hasOwn(billingEvents, event.type) || isPlatformFee(event)
}

export function isPlatformFee({ type }: { readonly type: string }): boolean {
  return Object.hasOwn(platformFeeTypes, type)
}

/** The customer of an event: of one in the stream of a client, the merchant. */
export function customerOf(event: Pick<RecordedEvent, 'stream' | 'data'>): string {
  return 'merchantId' in event.data ? event.data.merchantId : streamOwner(event.stream)
}
