import type { BillingEvent } from '#contracts/events/billing'
import type { RecordedEvent } from '#contracts/events/catalogue'
import type { Money } from '#contracts/money'
import { creditBalanceText, paidBackText, paymentMethodText } from '#contracts/payment-method-text'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { unreachable } from '#services/foundation/decider'
import { streamOwner } from '#services/foundation/stream-names'
import type { CreditNoteRow, DisputeRow, RefundRow } from './rows.ts'

/** The rows of refunds, credit notes and disputes that a batch reads and changes, by id. */
export interface AfterPaymentRows {
  readonly refunds: Map<string, RefundRow>
  readonly creditNotes: Map<string, CreditNoteRow>
  readonly disputes: Map<string, DisputeRow>
}

const afterPaymentTypes = [
  'RefundRecorded',
  'RefundStatusChanged',
  'RefundStatusOverridden',
  'CreditNoteIssued',
  'CreditNoteVoided',
  'DisputeOpened',
  'DisputeClosed',
] as const satisfies readonly BillingEvent['type'][]

export type AfterPaymentEvent = Extract<BillingEvent, { type: (typeof afterPaymentTypes)[number] }>

export function foldAfterPayment(
  rows: AfterPaymentRows,
  event: RecordedEvent<AfterPaymentEvent>,
): void {
  switch (event.type) {
    case 'RefundRecorded':
      return setRefund(rows, refundOf(event))
    case 'RefundStatusChanged':
      return setRefund(rows, {
        ...known(rows.refunds, event.data.refundId, 'RefundRecorded'),
        provider_status: event.data.to,
        override: null,
        override_reason: null,
      })
    case 'RefundStatusOverridden':
      return setRefund(rows, {
        ...known(rows.refunds, event.data.refundId, 'RefundRecorded'),
        override: event.data.to,
        override_reason: event.data.reason,
      })
    case 'CreditNoteIssued':
      return setCreditNote(rows, creditNoteOf(event))
    case 'CreditNoteVoided':
      return setCreditNote(rows, {
        ...known(rows.creditNotes, event.data.creditNoteId, 'CreditNoteIssued'),
        voided_at: new Date(event.metadata.occurredAt),
      })
    case 'DisputeOpened':
      return setDispute(rows, disputeOf(event))
    case 'DisputeClosed':
      return setDispute(rows, {
        ...known(rows.disputes, event.data.disputeId, 'DisputeOpened'),
        outcome: event.data.outcome,
        closed_at: new Date(event.metadata.occurredAt),
      })
    default:
      return unreachable(event)
  }
}

type Event<Type extends AfterPaymentEvent['type']> = RecordedEvent<
  Extract<AfterPaymentEvent, { type: Type }>
>

/** @throws Error if the stream lacks the event that creates the row */
function known<Row>(rows: ReadonlyMap<string, Row>, id: string, created: string): Row {
  const row = rows.get(id)
  if (!row)
    throw new DamagedHistory(
      `${id} has no ${created} before this event. Run 'billing events verify'.`,
    )
  return row
}

function paymentColumns(
  stream: string,
  data: { paymentId: string | null; subscriptionId: string | null; planName: string | null },
  { amount, currency }: Money,
) {
  return {
    user_id: streamOwner(stream),
    payment_id: data.paymentId,
    subscription_id: data.subscriptionId,
    plan_name: data.planName,
    amount_minor: amount,
    currency,
  }
}

function refundOf({ stream, data, metadata }: Event<'RefundRecorded'>): RefundRow {
  return {
    refund_id: data.refundId,
    refund_ref: data.refundRef,
    payment_ref: data.paymentRef,
    ...paymentColumns(stream, data, data.amount),
    captured_minor: data.captured?.amount ?? null,
    kind: data.kind,
    provider_status: data.status,
    override: null,
    override_reason: null,
    reason: data.reason,
    memo: data.memo,
    payment_method: paymentMethodText(data.method),
    occurred_at: new Date(metadata.occurredAt),
  }
}

function creditNoteOf({ stream, data, metadata }: Event<'CreditNoteIssued'>): CreditNoteRow {
  return {
    credit_note_id: data.creditNoteId,
    credit_note_ref: data.creditNoteRef,
    number: data.number,
    ...paymentColumns(stream, data, data.total),
    refunded_minor: data.refunded,
    before_payment_minor: data.beforePayment,
    reason: data.reason,
    memo: data.memo,
    payment_method: creditedTo(data),
    occurred_at: new Date(metadata.occurredAt),
    voided_at: null,
  }
}

function creditedTo({ toBalance, outOfBand }: Event<'CreditNoteIssued'>['data']): string | null {
  if (outOfBand === 0) return toBalance === 0 ? null : creditBalanceText
  return toBalance === 0 ? paidBackText : `${creditBalanceText} and ${paidBackText.toLowerCase()}`
}

/** The event of an inquiry that became a chargeback replaces the row of the inquiry. */
function disputeOf({ stream, data, metadata }: Event<'DisputeOpened'>): DisputeRow {
  return {
    dispute_id: data.disputeId,
    ...paymentColumns(stream, data, data.amount),
    kind: data.kind,
    reason: data.reason,
    outcome: null,
    occurred_at: new Date(metadata.occurredAt),
    closed_at: null,
  }
}

function setRefund({ refunds }: AfterPaymentRows, row: RefundRow): void {
  refunds.set(row.refund_id, row)
}

function setCreditNote({ creditNotes }: AfterPaymentRows, row: CreditNoteRow): void {
  creditNotes.set(row.credit_note_id, row)
}

function setDispute({ disputes }: AfterPaymentRows, row: DisputeRow): void {
  disputes.set(row.dispute_id, row)
}
