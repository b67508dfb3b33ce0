import type { Instant } from '#contracts/instant'
import type {
  ProviderCreditNote,
  ProviderDispute,
  ProviderRefund,
  ProviderState,
} from '#services/payments/provider-state'
import type { BillingState, PaymentOrigin } from '../billing-state.ts'
import { creditNoteIdOf, disputeIdOf, paymentIdOf, refundIdOf } from '../product-ids.ts'
import type { Fact } from './fact.ts'

/*
 * What can follow a payment: refunds, credit notes and disputes. `state` already has the payments
 * of the same answer of the provider.
 */

export function refundFacts(
  state: BillingState,
  refund: ProviderRefund,
  { creditNotes }: ProviderState,
  seenAt: Instant,
): Fact[] {
  const refundId = refundIdOf(refund.stripeRefundId)
  const { stripeRefundId: id, amount, captured, status, reason, method } = refund
  const known = state.refunds.get(refundId)
  if (known === undefined)
    return [
      {
        type: 'RefundRecorded',
        data: {
          refundId,
          stripeRefundId: id,
          ...ofPayment(state, refund),
          amount,
          captured,
          kind: kindOf(state, refund, creditNotes),
          status,
          reason,
          method,
        },
        occurredAt: refund.at,
        fact: `${id} recorded`,
      },
    ]
  if (known.status === status) return []
  return [
    {
      type: 'RefundStatusChanged',
      data: { refundId, from: known.status, to: status },
      occurredAt: seenAt,
      fact: `${id} status ${known.statusChanges + 1} ${status}`,
    },
  ]
}

/**
 * The kind that the refund's metadata states; else `proration` if a credit note or a proration
 * invoice is behind it; else `full` if this one refund returns the captured amount.
 */
function kindOf(
  { invoices }: BillingState,
  { stripeRefundId, statedKind, invoiceId, amount, captured }: ProviderRefund,
  creditNotes: readonly ProviderCreditNote[],
): 'full' | 'partial' | 'proration' {
  if (statedKind !== null) return statedKind
  const invoice = invoiceId === null ? undefined : invoices.get(invoiceId)
  const isProration =
    creditNotes.some(({ stripeRefundIds }) => stripeRefundIds.includes(stripeRefundId)) ||
    (invoice?.kind === 'paid' && invoice.isProration)
  if (isProration) return 'proration'
  return amount.amount === captured?.amount ? 'full' : 'partial'
}

export function creditNoteFacts(state: BillingState, note: ProviderCreditNote): Fact[] {
  const creditNoteId = creditNoteIdOf(note.stripeCreditNoteId)
  const { stripeCreditNoteId, invoiceId, isVoid, voidedAt, at } = note
  const { number, total, tax, beforePayment, refunded, toBalance, outOfBand, reason } = note
  const known = state.creditNotes.get(creditNoteId)
  const issued: Fact = {
    type: 'CreditNoteIssued',
    data: {
      creditNoteId,
      stripeCreditNoteId,
      paymentId: paymentIdOf(invoiceId),
      invoiceId,
      ...originOf(state, invoiceId),
      number,
      total,
      tax,
      beforePayment,
      refunded,
      toBalance,
      outOfBand,
      reason,
    },
    occurredAt: at,
    fact: `${stripeCreditNoteId} issued`,
  }
  const voided: Fact = {
    type: 'CreditNoteVoided',
    data: { creditNoteId },
    occurredAt: voidedAt ?? at,
    fact: `${stripeCreditNoteId} voided`,
  }
  return [...(known === undefined ? [issued] : []), ...(isVoid && known !== 'void' ? [voided] : [])]
}

export function disputeFacts(
  state: BillingState,
  dispute: ProviderDispute,
  seenAt: Instant,
): Fact[] {
  const disputeId = disputeIdOf(dispute.stripeDisputeId)
  const { stripeDisputeId, kind, amount, reason, evidenceDueAt, at, outcome } = dispute
  const known = state.disputes.get(disputeId)
  if (known?.isOpen === false) return []
  const isEscalated = known?.kind === 'inquiry' && kind === 'chargeback'
  const opened: Fact = {
    type: 'DisputeOpened',
    data: {
      disputeId,
      stripeDisputeId,
      ...ofPayment(state, dispute),
      kind,
      amount,
      reason,
      evidenceDueAt,
    },
    occurredAt: isEscalated ? seenAt : at,
    fact: `${stripeDisputeId} ${kind}`,
  }
  return [
    ...(known === undefined || isEscalated ? [opened] : []),
    ...(outcome === null
      ? []
      : [
          {
            type: 'DisputeClosed' as const,
            data: { disputeId, outcome },
            occurredAt: seenAt,
            fact: `${stripeDisputeId} ${outcome}`,
          },
        ]),
  ]
}

function ofPayment(
  state: BillingState,
  { invoiceId, paymentIntentId }: Pick<ProviderRefund, 'invoiceId' | 'paymentIntentId'>,
) {
  return {
    paymentId: invoiceId === null ? null : paymentIdOf(invoiceId),
    invoiceId,
    stripePaymentIntentId: paymentIntentId,
    ...originOf(state, invoiceId),
  }
}

function originOf({ invoices }: BillingState, invoiceId: string | null): PaymentOrigin {
  const invoice = invoiceId === null ? undefined : invoices.get(invoiceId)
  return invoice?.kind === 'paid' ? invoice.origin : { subscriptionId: null, planName: null }
}
