import type Stripe from 'stripe'
import type { DisputeStage } from '#contracts/dispute'
import { refundStatuses, type RefundStatus } from '#contracts/refund-status'
import type { ProviderCreditNote, ProviderDispute, ProviderRefund } from '../../provider-state.ts'
import { methodOfCharge } from './payment-method.ts'
import { idOf, idOrNull, instantOf, instantOrNull, refOf, refOrNull } from './references.ts'

/** The invoice of each payment intent, by the intent's id. */
export type InvoiceByIntent = ReadonlyMap<string, string>

/**
 * `charge` is the refunded charge. The metadata `refund_reason` and `refund_type` replace Stripe's
 * reason and the computed kind.
 */
export function refundFromStripe(
  refund: Stripe.Refund,
  charge: Stripe.Charge,
  invoices: InvoiceByIntent,
): ProviderRefund {
  const { currency } = refund
  return {
    refundRef: refOf(refund.id),
    ...paymentOf(charge, invoices),
    amount: { amount: refund.amount, currency },
    captured: { amount: charge.amount_captured, currency },
    status: refundStatusOf(refund),
    reason: refund.metadata?.['refund_reason'] ?? refund.reason,
    requestId: refund.metadata?.[refundRequestKey] ?? null,
    statedKind: kinds.find((kind) => kind === refund.metadata?.['refund_type']) ?? null,
    method: methodOfCharge(charge),
    at: instantOf(refund.created),
  }
}

/** The key of the metadata that has the product's request of a refund. */
export const refundRequestKey = 'refund_request'

const kinds = ['full', 'partial', 'proration'] as const

/** Stripe declares the status as a text. A status that is not known yet is not final. */
export function refundStatusOf({ status }: Stripe.Refund): RefundStatus {
  return refundStatuses.find((known) => known === status) ?? 'pending'
}

function paymentOf({ payment_intent }: Stripe.Charge, invoices: InvoiceByIntent) {
  const intent = idOrNull(payment_intent)
  const invoice = intent === null ? null : invoices.get(intent)
  return { paymentRef: refOrNull(intent), invoiceRef: refOrNull(invoice) }
}

/** `prorationLines` are the ids of the invoices' lines that are prorations. */
export function creditNoteFromStripe(
  note: Stripe.CreditNote,
  prorationLines: ReadonlySet<string>,
): ProviderCreditNote {
  const refunded = note.refunds.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0)
  const outOfBand = note.out_of_band_amount ?? 0
  return {
    creditNoteRef: refOf(note.id),
    number: note.number,
    invoiceRef: refOf(idOf(note.invoice)),
    isVoid: note.status === 'void',
    total: { amount: note.total, currency: note.currency },
    tax: (note.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0),
    beforePayment: note.pre_payment_amount,
    refunded,
    toBalance: Math.max(0, note.post_payment_amount - refunded - outOfBand),
    outOfBand,
    reason: note.reason,
    memo: note.memo,
    isProration:
      note.lines.data.length > 0 &&
      note.lines.data.every(({ invoice_line_item: line }) => prorationLines.has(line ?? '')),
    refundRefs: note.refunds.map(({ refund }) => refOf(idOf(refund))),
    at: instantOf(note.created),
    voidedAt: instantOrNull(note.voided_at),
  }
}

/** `charge` is the disputed charge. */
export function disputeFromStripe(
  dispute: Stripe.Dispute,
  charge: Stripe.Charge,
  invoices: InvoiceByIntent,
): ProviderDispute {
  return {
    disputeRef: refOf(dispute.id),
    ...paymentOf(charge, invoices),
    kind: kindOf(dispute),
    amount: { amount: dispute.amount, currency: dispute.currency },
    reason: dispute.reason,
    evidenceDueAt: instantOrNull(dispute.evidence_details.due_by),
    fees: dispute.balance_transactions
      .filter(({ fee }) => fee !== 0)
      .map(({ id, fee, currency, created }) => ({
        balanceTransactionRef: refOf(id),
        fee: { amount: fee, currency },
        at: instantOf(created),
      })),
    at: instantOf(dispute.created),
    outcome: outcomeOf(dispute),
  }
}

export function disputeStageOf(dispute: Stripe.Dispute): DisputeStage {
  return outcomeOf(dispute) ?? kindOf(dispute)
}

function kindOf({ status }: Stripe.Dispute): ProviderDispute['kind'] {
  return status.startsWith('warning_') ? 'inquiry' : 'chargeback'
}

/** A prevented dispute takes no money: the bank withdrew it. */
function outcomeOf({ status }: Stripe.Dispute): ProviderDispute['outcome'] {
  switch (status) {
    case 'won':
    case 'prevented':
      return 'won'
    case 'lost':
      return 'lost'
    case 'warning_closed':
      return 'inquiry-closed'
    default:
      return null
  }
}
