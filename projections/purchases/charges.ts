import type { BillingEvent } from '#contracts/events/billing'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { totalToShow } from '#contracts/invoice-total'
import { paidByText, paymentMethodText } from '#contracts/payment-method-text'
import { streamOwner } from '#services/foundation/stream-names'
import type { PaidPeriod } from '#projections/shared/paid-time'
import type { ChargeRow, ReceiptRow } from './rows.ts'

type Event<Type extends BillingEvent['type']> = RecordedEvent<Extract<BillingEvent, { type: Type }>>

const noFailure = { attempt: null, failure_reason: null, next_attempt_at: null }

export function chargeOf({ stream, data, metadata }: Event<'PaymentSucceeded'>): ChargeRow {
  return {
    charge_id: data.paymentId,
    user_id: streamOwner(stream),
    payment_id: data.paymentId,
    invoice_ref: data.invoiceRef,
    payment_ref: data.paymentRef,
    subscription_id: data.subscriptionId,
    status: 'paid',
    amount_minor: totalToShow(data.amounts),
    currency: data.amounts.currency,
    plan_id: data.planId,
    plan_name: data.planName,
    payment_method: paidByText(data.paidBy),
    subtotal_minor: data.amounts.subtotal,
    period_start: new Date(data.periodStart),
    period_end: new Date(data.periodEnd),
    occurred_at: new Date(metadata.occurredAt),
    ...noFailure,
  }
}

/**
 * The charge with another paid period. A charge without a paid period, or with an equal one, stays.
 */
export function withPaidPeriod(
  charge: ChargeRow,
  change: (period: PaidPeriod) => PaidPeriod,
): ChargeRow {
  const { period_start: start, period_end: end } = charge
  if (start === null || end === null) return charge
  const period = { from: start.toISOString(), until: end.toISOString() }
  const until = new Date(change(period).until)
  return until.getTime() === end.getTime() ? charge : { ...charge, period_end: until }
}

export function receiptOf({ stream, data, metadata }: Event<'PaymentSucceeded'>): ReceiptRow {
  return {
    payment_id: data.paymentId,
    user_id: streamOwner(stream),
    paid_at: new Date(metadata.occurredAt),
    document: {
      invoice_number: data.invoiceNumber,
      amounts: data.amounts,
      lines: data.lines,
      paid_by: data.paidBy,
      period_start: data.periodStart,
      period_end: data.periodEnd,
      hosted_invoice_url: data.hostedInvoiceUrl,
    },
  }
}

/** Each failed attempt stays in the history, even if a later attempt succeeds. */
export function failedChargeOf({ stream, data, metadata }: Event<'PaymentFailed'>): ChargeRow {
  return {
    ...unpaid(data),
    charge_id: `${data.paymentId}_attempt_${data.attempt}`,
    user_id: streamOwner(stream),
    payment_ref: data.paymentRef,
    status: 'failed',
    // Without a means, or of an unknown one: no card paid.
    payment_method: data.method && paymentMethodText(data.method),
    occurred_at: new Date(metadata.occurredAt),
    attempt: data.attempt,
    failure_reason: data.reason,
    next_attempt_at: data.nextAttemptAt === null ? null : new Date(data.nextAttemptAt),
  }
}

export function writtenOffChargeOf({
  stream,
  data,
  metadata,
}: Event<'InvoiceWrittenOff'>): ChargeRow {
  return {
    ...unpaid(data),
    charge_id: `${data.paymentId}_${data.how}`,
    user_id: streamOwner(stream),
    payment_ref: null,
    status: data.how,
    payment_method: null,
    occurred_at: new Date(metadata.occurredAt),
    ...noFailure,
  }
}

function unpaid({
  paymentId,
  invoiceRef,
  subscriptionId,
  planName,
  due,
}: Event<'InvoiceWrittenOff'>['data'] | Event<'PaymentFailed'>['data']) {
  return {
    payment_id: paymentId,
    invoice_ref: invoiceRef,
    subscription_id: subscriptionId,
    amount_minor: due.amount,
    subtotal_minor: due.amount,
    currency: due.currency,
    plan_id: null,
    plan_name: planName,
    period_start: null,
    period_end: null,
  }
}
