import type { BillingEvent } from '#contracts/events/billing'
import { hasReturnedMoney, type RefundStatus } from '#contracts/refund-status'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer } from '#services/foundation/event-consumer'
import type { FinanceEvent, FinanceEventOf } from '../finance-event.ts'
import type { AccountingDate, DateOf } from '../accounting-date.ts'

type Recorded = Extract<BillingEvent, { type: 'RefundRecorded' }>['data']
export type RefundKind = Recorded['kind']
export const refundKinds = ['full', 'partial', 'proration'] as const satisfies readonly RefundKind[]

/**
 * A refund begins to count (`refunds` 1), or a refund that succeeded fails (-1). `amount` is in
 * minor units, negative with -1.
 *
 * Source: Stripe, "The Refund object": only a refund of the status `succeeded` returned money, and
 * such a refund can still fail (https://docs.stripe.com/api/refunds/object).
 */
export interface RefundChange extends AccountingDate {
  readonly eventId: string
  readonly refundId: string
  readonly kind: RefundKind
  /** The provider's reason, such as `requested_by_customer`; null if nobody gave one. */
  readonly reason: string | null
  readonly currency: string
  readonly amount: number
  readonly refunds: 1 | -1
}

interface Refund {
  readonly kind: RefundKind
  readonly reason: string | null
  readonly currency: string
  readonly amount: number
  hasReturned: boolean
}

export type Refunds = Map<string, Refund>

/**
 * The events that return money, or take it back. A request returns none yet, and an override
 * changes what screens show.
 */
export const refundMeasures = eventConsumer({
  name: 'refund measures',
  concernedBy: ['refund'],
  ignores: ['RefundRequested', 'RefundRefused', 'RefundStatusOverridden'],
})

/**
 * Folds the next event of the log into the refunds, which it changes. Returns null if no money was
 * returned or taken back. An administrator's override moves no money. A change counts on its own
 * day, as in the ledger. A refund that the log does not contain counts as partial, without a
 * reason: the ledger books its money, too.
 */
export function foldRefunds(
  refunds: Refunds,
  event: FinanceEvent,
  dateOf: DateOf,
): RefundChange | null {
  if (!refundMeasures.isFolded(event)) return null
  switch (event.type) {
    case 'RefundRecorded': {
      const { refundId, kind, reason, amount: money, status } = event.data
      // The id of the event is made from the refund: a second record is a repeat.
      if (refunds.has(refundId)) return null
      const refund = { kind, reason, ...money, hasReturned: false }
      return setStatus(refunds, refund, event, status, dateOf)
    }
    case 'RefundStatusChanged': {
      const { refundId, amount: money, to } = event.data
      const unknown = { kind: 'partial' as const, reason: null, ...money, hasReturned: false }
      return setStatus(refunds, refunds.get(refundId) ?? unknown, event, to, dateOf)
    }
    default:
      return unreachable(event)
  }
}

function setStatus(
  refunds: Refunds,
  refund: Refund,
  {
    id: eventId,
    data: { refundId },
    metadata,
  }: FinanceEventOf<'RefundRecorded' | 'RefundStatusChanged'>,
  status: RefundStatus,
  dateOf: DateOf,
): RefundChange | null {
  refunds.set(refundId, refund)
  const hasReturned = hasReturnedMoney(status)
  if (refund.hasReturned === hasReturned) return null
  refund.hasReturned = hasReturned
  const { kind, reason, currency } = refund
  const amount = hasReturned ? refund.amount : -refund.amount
  const count = hasReturned ? 1 : -1
  const at = dateOf(metadata.occurredAt)
  return { eventId, refundId, kind, reason, currency, amount, refunds: count, ...at }
}
