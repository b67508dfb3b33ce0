import { textOfRef, type ProviderRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import type { Reading } from '#services/payments/provider-change'
import type {
  ProviderCreditNote,
  ProviderDispute,
  ProviderRefund,
  ProviderState,
} from '#services/payments/provider-state'
import type { BillingState, PaymentOrigin } from '../billing-state.ts'
import { presentSeller, unknownBuyer, type Parties } from '../parties.ts'
import { creditNoteIdOf, disputeIdOf, paymentIdOf, refundIdOf } from '../product-ids.ts'
import type { Fact, Observed } from './fact.ts'

/*
 * What can follow a payment: refunds, credit notes and disputes. `state` already has the payments
 * of the same answer of the provider.
 */

export function refundFacts(
  state: BillingState,
  refund: ProviderRefund,
  { creditNotes, customer, history }: ProviderState,
  seenAt: Instant,
): Fact[] {
  const refundId = refundIdOf(refund.refundRef)
  const { refundRef: id, amount, captured, status, method } = refund
  const note = creditNotes.find(({ refundRefs }) => refundRefs.includes(id))
  const readings = history.refunds.get(id) ?? []
  const known = state.refunds.get(refundId)
  const first = known?.status ?? readings[0]?.value ?? status
  const recorded: Fact[] =
    known !== undefined
      ? []
      : [
          {
            type: 'RefundRecorded',
            data: {
              refundId,
              refundRef: id,
              requestId: refund.requestId,
              ...ofPayment(state, refund),
              amount,
              captured,
              kind: kindOf(state, refund, note),
              status: first,
              // A refund that a credit note made has no reason of its own.
              reason: refund.reason ?? note?.reason ?? null,
              memo: note?.memo ?? null,
              method,
              ...partiesOfPayment(state, refund.invoiceRef, customer),
            },
            occurredAt: refund.at,
            fact: `${textOfRef(id)} recorded`,
          },
        ]
  const path = readingsTo(status, first, readings, seenAt)
  const changesBefore = known?.statusChanges ?? 0
  return [
    ...recorded,
    ...path.map(({ value: to, ...observed }, index): Fact => ({
      type: 'RefundStatusChanged',
      data: {
        refundId,
        amount: known?.amount ?? amount,
        from: path[index - 1]?.value ?? first,
        to,
        ...observed,
      },
      occurredAt: observed.changedAt,
      fact: `${textOfRef(id)} status ${changesBefore + 1 + index} ${to}`,
    })),
  ]
}

/**
 * The kind that the refund's metadata states; else `proration` if the refund returns only proration
 * lines: those that its credit note names, or all lines of the invoice; else `full` if this one
 * refund returns the captured amount.
 */
function kindOf(
  { invoices }: BillingState,
  { statedKind, invoiceRef, amount, captured }: ProviderRefund,
  note: ProviderCreditNote | undefined,
): 'full' | 'partial' | 'proration' {
  if (statedKind !== null) return statedKind
  const invoice = invoiceRef === null ? undefined : invoices.get(invoiceRef)
  const isProration =
    note?.isProration === true || (invoice?.kind === 'paid' && invoice.isProration)
  if (isProration) return 'proration'
  return amount.amount === captured?.amount ? 'full' : 'partial'
}

export function creditNoteFacts(
  state: BillingState,
  note: ProviderCreditNote,
  { customer }: ProviderState,
  seenAt: Instant,
): Fact[] {
  const creditNoteId = creditNoteIdOf(note.creditNoteRef)
  const { creditNoteRef, invoiceRef, isVoid, voidedAt, at } = note
  const { number, total, tax, beforePayment, refunded, toBalance, outOfBand, reason, memo } = note
  const known = state.creditNotes.get(creditNoteId)
  const issued: Fact = {
    type: 'CreditNoteIssued',
    data: {
      creditNoteId,
      creditNoteRef,
      paymentId: paymentIdOf(invoiceRef),
      invoiceRef,
      ...originOf(state, invoiceRef),
      number,
      total,
      tax,
      beforePayment,
      refunded,
      toBalance,
      outOfBand,
      reason,
      memo,
      ...partiesOfPayment(state, invoiceRef, customer),
    },
    occurredAt: at,
    fact: `${textOfRef(creditNoteRef)} issued`,
  }
  const voided: Fact = {
    type: 'CreditNoteVoided',
    data: { creditNoteId, total: known?.total ?? total },
    occurredAt: voidedAt ?? seenAt,
    fact: `${textOfRef(creditNoteRef)} voided`,
  }
  return [
    ...(known === undefined ? [issued] : []),
    ...(isVoid && known?.isVoid !== true ? [voided] : []),
  ]
}

export function disputeFacts(
  state: BillingState,
  dispute: ProviderDispute,
  { history }: ProviderState,
  seenAt: Instant,
): Fact[] {
  const disputeId = disputeIdOf(dispute.disputeRef)
  const { disputeRef, kind, amount, reason, evidenceDueAt, at, outcome } = dispute
  const known = state.disputes.get(disputeId)
  const fees = feeFacts(state, dispute)
  if (known?.isOpen === false) return fees
  const readings = history.disputes.get(disputeRef) ?? []
  const openedAs = (openedKind: ProviderDispute['kind'], occurredAt: Instant): Fact => ({
    type: 'DisputeOpened',
    data: {
      disputeId,
      disputeRef,
      ...ofPayment(state, dispute),
      kind: openedKind,
      amount,
      reason,
      evidenceDueAt,
    },
    occurredAt,
    fact: `${textOfRef(disputeRef)} ${openedKind}`,
  })
  const beganAs = known?.kind ?? (readings[0]?.value === 'inquiry' ? 'inquiry' : kind)
  const isEscalated = beganAs === 'inquiry' && kind === 'chargeback'
  const escalatedAt = readings.find(({ value }) => value === 'chargeback')?.at
  const facts = known === undefined ? [openedAs(beganAs, at)] : []
  if (isEscalated) facts.push(openedAs(kind, escalatedAt ?? seenAt))
  facts.push(...fees)
  if (outcome === null) return facts
  const openedAmount = known === undefined || isEscalated ? amount : known.amount
  const closedAt = readings.find(({ value }) => value === outcome)?.at
  const observed = { changedAt: closedAt ?? seenAt, isInferred: closedAt === undefined }
  return [
    ...facts,
    {
      type: 'DisputeClosed',
      data: { disputeId, amount: openedAmount, outcome, ...observed },
      occurredAt: observed.changedAt,
      fact: `${textOfRef(disputeRef)} ${outcome}`,
    },
  ]
}

/** The fees of which the log has no event. A fee can come with the dispute or later. */
function feeFacts(state: BillingState, dispute: ProviderDispute): Fact[] {
  return dispute.fees
    .filter(({ balanceTransactionRef: id }) => !state.disputeFees.has(id))
    .map(({ balanceTransactionRef, fee, at }) => ({
      type: 'DisputeFeeCharged',
      data: {
        disputeId: disputeIdOf(dispute.disputeRef),
        balanceTransactionRef,
        ...ofPayment(state, dispute),
        fee,
      },
      occurredAt: at,
      fact: `${textOfRef(balanceTransactionRef)} fee`,
    }))
}

/**
 * The values from `known` to `present`, with their times: those that events report, then the
 * present value as an inferred change, if no event reports it.
 */
function readingsTo<Value>(
  present: Value,
  known: Value,
  readings: readonly Reading<Value>[],
  seenAt: Instant,
): readonly ({ readonly value: Value } & Observed)[] {
  if (present === known) return []
  const after = readings.slice(readings.findLastIndex(({ value }) => value === known) + 1)
  const reported = after
    .slice(0, after.findLastIndex(({ value }) => value === present) + 1)
    .filter(({ value }, index, all) => value !== all[index - 1]?.value)
    .map(({ value, at }) => ({ value, changedAt: at, isInferred: false }))
  return reported.length > 0 ? reported : [{ value: present, changedAt: seenAt, isInferred: true }]
}

function ofPayment(
  state: BillingState,
  { invoiceRef, paymentRef }: Pick<ProviderRefund, 'invoiceRef' | 'paymentRef'>,
) {
  return {
    paymentId: invoiceRef === null ? null : paymentIdOf(invoiceRef),
    invoiceRef,
    paymentRef,
    ...originOf(state, invoiceRef),
  }
}

/** Of a payment that the log does not have: the present parties. */
function partiesOfPayment(
  { invoices, billed }: BillingState,
  invoiceRef: ProviderRef | null,
  customer: ProviderState['customer'],
): Parties {
  const invoice = invoiceRef === null ? undefined : invoices.get(invoiceRef)
  if (invoice?.kind === 'paid') return invoice.parties
  return { seller: presentSeller, ...(customer?.billed ?? billed ?? unknownBuyer) }
}

function originOf({ invoices }: BillingState, invoiceRef: ProviderRef | null): PaymentOrigin {
  const invoice = invoiceRef === null ? undefined : invoices.get(invoiceRef)
  return invoice?.kind === 'paid' ? invoice.origin : { subscriptionId: null, planName: null }
}
