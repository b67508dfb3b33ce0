import type { BillingEvent } from '#contracts/events/billing'
import type { ProviderRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import type { Money } from '#contracts/money'
import type { RefundReason } from '#contracts/refund-reasons'
import {
  accepted,
  refused,
  unreachable,
  type Decider,
  type Decision,
} from '#services/foundation/decider'
import { initialBillingState, type BillingState } from './billing-state.ts'
import { evolveBilling } from './evolve-billing.ts'
import { paymentIdOf } from './product-ids.ts'

export interface RequestRefund {
  readonly type: 'request-refund'
  readonly requestId: string
  /** The product's id of the payment. */
  readonly paymentId: string
  readonly amount: Money
  readonly reason: RefundReason
  readonly note: string | null
  /**
   * The most of the payment that is refunded without a second person, earlier refunds included, so
   * that parts do not evade the rule. Every refund in another currency needs a second person. Null:
   * the refund needs none, or is approved.
   */
  readonly limit: Money | null
  readonly at: Instant
}

/** The provider refuses the requested refund for good. */
export interface RefuseRefund {
  readonly type: 'refuse-refund'
  readonly requestId: string
  readonly reason: string
  readonly at: Instant
}

export type RefundRefusal =
  | { readonly kind: 'unknown-payment' }
  /** The request was sent before, for this amount. */
  | { readonly kind: 'other-request'; readonly amount: Money }
  | RefundObstacle
  | { readonly kind: 'no-amount' }
  | { readonly kind: 'other-currency'; readonly currency: string }
  | { readonly kind: 'above-left'; readonly left: RefundableRest }
  | { readonly kind: 'needs-second-person' }

/** Why the provider can refund nothing of a payment. */
export type RefundObstacle =
  | { readonly kind: 'not-collected' }
  /** The bank holds or has kept the money. An inquiry moves no money, and a refund settles it. */
  | { readonly kind: 'disputed'; readonly isLost: boolean }
  | { readonly kind: 'nothing-left'; readonly left: RefundableRest }

/** What is left of a payment, in minor units of its currency. */
export interface RefundableRest {
  readonly currency: string
  /** What the provider collected. */
  readonly collected: number
  /** The refunds that did not fail. */
  readonly refunded: number
  /** The refunds that an administrator requested and that the provider has not answered yet. */
  readonly waiting: number
  readonly left: number
}

/** A payment that administrators can refund, in part or in full. */
export interface RefundablePayment {
  readonly invoiceRef: ProviderRef
  readonly paymentRef: ProviderRef
  readonly left: RefundableRest
}

/**
 * Refunds by administrators. A request reserves its amount in the stream, so that of two requests
 * at once the second one finds less left. What the provider has done before must be recorded first:
 * the caller synchronizes. A repeat of a request adds nothing.
 */
export const refundDecider: Decider<
  'billing',
  BillingState,
  RequestRefund | RefuseRefund,
  BillingEvent,
  RefundRefusal
> = {
  category: 'billing',
  initialState: initialBillingState,
  evolve: evolveBilling,

  decide(command, state) {
    switch (command.type) {
      case 'request-refund':
        return requestRefund(command, state)
      case 'refuse-refund':
        return refuseRefund(command, state)
      default:
        return unreachable(command)
    }
  },
}

type Decided = Decision<BillingEvent, RefundRefusal>

function requestRefund(
  { requestId, paymentId, amount, reason, note, limit, at }: RequestRefund,
  state: BillingState,
): Decided {
  const known = state.refundRequests.get(requestId)
  if (known !== undefined) {
    const isSame =
      paymentIdOf(known.invoiceRef) === paymentId &&
      known.amount.amount === amount.amount &&
      known.amount.currency === amount.currency
    return isSame ? accepted() : refused({ kind: 'other-request', amount: known.amount })
  }
  const found = findRefundable(state, paymentId)
  if ('kind' in found) return refused(found)
  const { invoiceRef, paymentRef, left } = found
  if (amount.currency !== left.currency)
    return refused({ kind: 'other-currency', currency: left.currency })
  if (!Number.isSafeInteger(amount.amount) || amount.amount <= 0)
    return refused({ kind: 'no-amount' })
  if (amount.amount > left.left) return refused({ kind: 'above-left', left })
  if (limit !== null && isAbove(limit, amount, left))
    return refused({ kind: 'needs-second-person' })
  return accepted({
    type: 'RefundRequested',
    data: {
      requestId,
      paymentId,
      invoiceRef,
      paymentRef,
      amount,
      reason,
      note,
    },
    occurredAt: at,
    fact: `${requestId} requested`,
  })
}

function isAbove(limit: Money, { amount, currency }: Money, left: RefundableRest): boolean {
  return currency !== limit.currency || left.refunded + left.waiting + amount > limit.amount
}

/** Releases the reservation. A request with an outcome keeps the outcome. */
function refuseRefund(
  { requestId, reason, at }: RefuseRefund,
  { refundRequests }: BillingState,
): Decided {
  const known = refundRequests.get(requestId)
  if (known?.outcome.kind !== 'waiting') return accepted()
  return accepted({
    type: 'RefundRefused',
    data: { requestId, amount: known.amount, reason },
    occurredAt: at,
    fact: `${requestId} refused`,
  })
}

/** What can be refunded of a payment, or why nothing can. */
export function findRefundable(
  state: BillingState,
  paymentId: string,
): RefundablePayment | RefundObstacle | { readonly kind: 'unknown-payment' } {
  const found = [...state.invoices].find(([id]) => paymentIdOf(id) === paymentId)
  if (found === undefined || found[1].kind !== 'paid') return { kind: 'unknown-payment' }
  const [invoiceRef, { collected, paymentRef }] = found
  if (paymentRef === null || collected.amount === 0) return { kind: 'not-collected' }
  const disputes = [...state.disputes.values()].filter((each) => each.invoiceRef === invoiceRef)
  if (disputes.some((each) => !each.isOpen && each.isLost))
    return { kind: 'disputed', isLost: true }
  if (disputes.some((each) => each.isOpen && each.kind === 'chargeback'))
    return { kind: 'disputed', isLost: false }
  const left = restOf(state, invoiceRef, collected)
  return left.left > 0 ? { invoiceRef, paymentRef, left } : { kind: 'nothing-left', left }
}

function restOf(
  { refunds, refundRequests }: BillingState,
  invoiceRef: ProviderRef,
  { amount: collected, currency }: Money,
): RefundableRest {
  const refunded = sumOf(
    [...refunds.values()].filter(
      (each) =>
        each.invoiceRef === invoiceRef && each.status !== 'failed' && each.status !== 'canceled',
    ),
  )
  const waiting = sumOf(
    [...refundRequests.values()].filter(
      (each) => each.invoiceRef === invoiceRef && each.outcome.kind === 'waiting',
    ),
  )
  return { currency, collected, refunded, waiting, left: collected - refunded - waiting }
}

function sumOf(parts: readonly { readonly amount: Money }[]): number {
  return parts.reduce((sum, { amount }) => sum + amount.amount, 0)
}
