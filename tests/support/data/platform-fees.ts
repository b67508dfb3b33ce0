import fc from 'fast-check'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { textOfRef } from '#contracts/events/provider-ref'
import type { PlatformFeeEvent } from '#services/finance/finance-event'
import {
  arbitraryProviderCheckout,
  type ProviderCheckoutLife,
} from '../receivables/arbitrary-provider-checkout.ts'
import { recorded, type Place } from './events.ts'

type FeeEvent = RecordedEvent<PlatformFeeEvent>

/** An event about a fee in the stream of a client of a merchant. */
export function feeEvent(
  { merchantId, clientId }: { readonly merchantId: string; readonly clientId: string },
  event:
    | { readonly type: 'PlatformFeeCharged'; readonly data: FeeOf<'PlatformFeeCharged'> }
    | { readonly type: 'PlatformFeeReturned'; readonly data: FeeOf<'PlatformFeeReturned'> },
  place: Place = {},
): FeeEvent {
  const stream = `client-${clientId}`
  const { feeRef } = event.data
  const checkoutId = `checkout_${textOfRef(feeRef)}`
  return event.type === 'PlatformFeeCharged'
    ? recorded(
        stream,
        { type: event.type, data: { merchantId, clientId, checkoutId, ...event.data } },
        { occurredAt: event.data.chargedAt, ...place },
      )
    : recorded(
        stream,
        { type: event.type, data: { merchantId, clientId, checkoutId, ...event.data } },
        { occurredAt: event.data.returnedAt, ...place },
      )
}

type FeeOf<Type extends PlatformFeeEvent['type']> = Omit<
  Extract<PlatformFeeEvent, { type: Type }>['data'],
  'merchantId' | 'clientId' | 'checkoutId'
>

const ownership = fc.record({
  merchant: fc.integer({ min: 1, max: 3 }),
  client: fc.integer({ min: 1, max: 2 }),
  /** From 2026-03-30 on. */
  days: fc.nat({ max: 500 }),
})

/**
 * The fees on payments of several merchants' clients, and what was returned of them with refunds in
 * any parts, refunds that failed and chargebacks, in several currencies.
 */
export const arbitraryPlatformFees: fc.Arbitrary<readonly FeeEvent[]> = fc
  .array(fc.tuple(ownership, arbitraryProviderCheckout), { maxLength: 12 })
  .map((lives) => numbered(lives.flatMap(([of, life]) => feesOf(of, life))))

function feesOf(
  of: { readonly merchant: number; readonly client: number; readonly days: number },
  { states }: ProviderCheckoutLife,
): readonly FeeEvent[] {
  const payment = states.at(-1)?.payment
  if (typeof payment !== 'object' || payment.fee === null) return []
  const { feeRef, currency, amount, chargedAt, returns } = payment.fee
  const owner = {
    merchantId: `usr_${of.merchant}`,
    clientId: `client_${of.merchant}_${of.client}`,
  }
  const later = (at: string) => new Date(Date.parse(at) + of.days * 24 * 3_600_000).toISOString()
  return [
    feeEvent(owner, {
      type: 'PlatformFeeCharged',
      data: { feeRef, chargedAt: later(chargedAt), currency, amount },
    }),
    ...returns.map(({ returnRef, amount: returned, at }) =>
      feeEvent(owner, {
        type: 'PlatformFeeReturned',
        data: { feeRef, returnRef, returnedAt: later(at), currency, amount: returned },
      }),
    ),
  ]
}

function numbered(events: readonly FeeEvent[]): readonly FeeEvent[] {
  const lengths = new Map<string, number>()
  return events.map((event, index) => {
    const revision = lengths.get(event.stream) ?? 0
    lengths.set(event.stream, revision + 1)
    return { ...event, id: `fee_event_${index}`, revision, position: String(index + 1) }
  })
}
