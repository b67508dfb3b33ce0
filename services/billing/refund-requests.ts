import type { Map as PersistentMap } from 'immutable'
import type { BillingEvent } from '#contracts/events/billing'
import type { ProviderRef } from '#contracts/events/provider-ref'
import type { Money } from '#contracts/money'
import type { RefundReason } from '#contracts/refund-reasons'
import { unreachable } from '#services/foundation/decider'

/** A refund that an administrator requested. It is kept, so that a repeat of it is recognized. */
export interface RefundRequestState {
  readonly invoiceRef: ProviderRef
  readonly paymentRef: ProviderRef
  readonly amount: Money
  readonly reason: RefundReason
  readonly outcome:
    | { readonly kind: 'waiting' }
    /** The product's id of the refund. */
    | { readonly kind: 'recorded'; readonly refundId: string }
    /** The provider's sentence. */
    | { readonly kind: 'refused'; readonly reason: string }
}

type Requests = PersistentMap<string, RefundRequestState>
type RequestEvent = Extract<
  BillingEvent,
  { type: 'RefundRequested' | 'RefundRefused' | 'RefundRecorded' }
>

export function evolveRefundRequests(requests: Requests, event: RequestEvent): Requests {
  switch (event.type) {
    case 'RefundRequested': {
      const { requestId, invoiceRef, paymentRef, amount, reason } = event.data
      const outcome = { kind: 'waiting' } as const
      return requests.set(requestId, { invoiceRef, paymentRef, amount, reason, outcome })
    }
    case 'RefundRefused':
      return ended(requests, event.data.requestId, { kind: 'refused', reason: event.data.reason })
    case 'RefundRecorded': {
      const { requestId, refundId } = event.data
      if (requestId === null) return requests
      return ended(requests, requestId, { kind: 'recorded', refundId })
    }
    default:
      return unreachable(event)
  }
}

/** A refund can name a request that the stream does not have: metadata is set by hand, too. */
function ended(
  requests: Requests,
  requestId: string,
  outcome: RefundRequestState['outcome'],
): Requests {
  const known = requests.get(requestId)
  return known === undefined ? requests : requests.set(requestId, { ...known, outcome })
}
