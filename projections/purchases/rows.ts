import { z } from 'zod'
import { providerRef } from '#contracts/events/provider-ref'
import {
  billedTo,
  invoiceAmounts,
  invoiceLine,
  paymentMethod,
  seller,
  wayOfPayment,
} from '#contracts/events/billing-parts'
import { disputeKinds, disputeOutcomes } from '#contracts/dispute'
import { personal } from '#contracts/events/define-event'
import { instant } from '#contracts/instant'
import { uncollectedStatuses } from '#contracts/payment-status'
import { refundOverrides, refundStatuses } from '#contracts/refund-status'
import { hasEnded, subscriptionStatuses } from '#contracts/subscription-status'
import { dateColumn, integerColumn } from '#services/foundation/columns'
import { planPeriod } from '#projections/shared/paid-time'
import { personColumns } from '#projections/shared/person-columns'

/*
 * The rows of tables.ts. Fields are named as the columns. Folding writes these rows, and queries
 * read them.
 */

export const customerRow = z.object({
  user_id: z.string(),
  ...personColumns,
  blocked: z.boolean(),
})
export type CustomerRow = Readonly<z.infer<typeof customerRow>>

const planColumns = {
  plan_id: z.string().nullable(),
  plan_name: z.string(),
  price_minor: integerColumn,
  currency: z.string(),
  interval_unit: z.string(),
  interval_count: z.int(),
  quantity: z.int(),
}

/** The plan that replaces the current plan at `starts_at`, and its row of the table change. */
const plannedChange = z.object({
  ...planColumns,
  // In a JSON column, minor units are a number.
  price_minor: z.int(),
  starts_at: instant,
  change_id: z.string(),
})
export type PlannedChange = Readonly<z.infer<typeof plannedChange>>

export const subscriptionRow = z
  .object({
    subscription_id: z.string(),
    user_id: z.string(),
    subscription_ref: providerRef,
    ...planColumns,
    status: z.enum(subscriptionStatuses),
    started_at: dateColumn,
    activated_at: dateColumn.nullable(),
    current_period_start: dateColumn,
    current_period_end: dateColumn,
    cancel_at: dateColumn.nullable(),
    cancellation_id: z.string().nullable(),
    planned_change: plannedChange.nullable(),
    plan_periods: z.array(planPeriod).readonly(),
    resumes_at: dateColumn.nullable(),
    ended_at: dateColumn.nullable(),
  })
  .refine(({ status, ended_at }) => hasEnded(status) === (ended_at !== null), {
    path: ['status'],
    error: "must be a status of an ended subscription if and only if the column 'ended_at' is set.",
  })
export type SubscriptionRow = Readonly<z.infer<typeof subscriptionRow>>

export const chargeRow = z.object({
  charge_id: z.string(),
  user_id: z.string(),
  payment_id: z.string(),
  invoice_ref: providerRef,
  payment_ref: providerRef.nullable(),
  subscription_id: z.string().nullable(),
  status: z.enum(['paid', ...uncollectedStatuses]),
  amount_minor: integerColumn,
  currency: z.string(),
  plan_id: z.string().nullable(),
  plan_name: z.string().nullable(),
  /** How the invoice was paid, or the means of the failed attempt. Null without a means. */
  payment_method: z.string().nullable(),
  subtotal_minor: integerColumn,
  period_start: dateColumn.nullable(),
  /** As far as no plan change shortened it. */
  period_end: dateColumn.nullable(),
  occurred_at: dateColumn,
  /** Null unless `failed`. */
  attempt: z.int().nullable(),
  failure_reason: z.string().nullable(),
  next_attempt_at: dateColumn.nullable(),
})
export type ChargeRow = Readonly<z.infer<typeof chargeRow>>

export const unpaidInvoiceRow = z.object({
  payment_id: z.string(),
  user_id: z.string(),
  subscription_id: z.string().nullable(),
  due_minor: integerColumn,
  currency: z.string(),
  reason: z.string(),
  code: z.string().nullable(),
  payment_method: z.string().nullable(),
  failed_at: dateColumn,
  next_attempt_at: dateColumn.nullable(),
  is_open: z.boolean(),
})
export type UnpaidInvoiceRow = Readonly<z.infer<typeof unpaidInvoiceRow>>

export const defaultMethodRow = z.object({
  user_id: z.string(),
  method: paymentMethod.nullable(),
})
export type DefaultMethodRow = Readonly<z.infer<typeof defaultMethodRow>>

export const changeRow = z.object({
  change_id: z.string(),
  user_id: z.string(),
  subscription_id: z.string(),
  change_type: z.enum(['upgrade', 'downgrade', 'cancellation']),
  requested_at: dateColumn,
  effective_at: dateColumn,
  withdrawn_at: dateColumn.nullable(),
  old_plan_name: z.string().nullable(),
  new_plan_name: z.string().nullable(),
  old_interval: z.string().nullable(),
  new_interval: z.string().nullable(),
  old_next_billing: dateColumn.nullable(),
  new_next_billing: dateColumn.nullable(),
  proration_minor: integerColumn.nullable(),
  currency: z.string(),
})
export type ChangeRow = Readonly<z.infer<typeof changeRow>>

/** What a receipt shows beside its charge. An erasure replaces the personal fields. */
export const receiptDocument = z.object({
  invoice_number: z.string().nullable(),
  amounts: invoiceAmounts,
  lines: z.array(invoiceLine),
  paid_by: z.array(wayOfPayment),
  period_start: instant,
  period_end: instant,
  hosted_invoice_url: personal(z.string()).nullable(),
})

export const receiptRow = z.object({
  payment_id: z.string(),
  user_id: z.string(),
  paid_at: dateColumn,
  document: receiptDocument,
})
export type ReceiptRow = Readonly<z.infer<typeof receiptRow>>

/** Who a receipt, a refund or a credit note names. An erasure replaces the personal fields. */
export const partiesDocument = z.object({ seller, billed_to: z.object(billedTo) })

export const partiesRow = z.object({
  /** The id of the payment, refund or credit note. */
  document_id: z.string(),
  user_id: z.string(),
  document: partiesDocument,
})
export type PartiesRow = Readonly<z.infer<typeof partiesRow>>

/** The columns of what can follow a payment. Null without a payment of the product. */
const paymentColumns = {
  user_id: z.string(),
  payment_id: z.string().nullable(),
  subscription_id: z.string().nullable(),
  plan_name: z.string().nullable(),
  amount_minor: integerColumn,
  currency: z.string(),
}

export const refundRow = z.object({
  refund_id: z.string(),
  refund_ref: providerRef,
  payment_ref: providerRef.nullable(),
  ...paymentColumns,
  captured_minor: integerColumn.nullable(),
  kind: z.enum(['full', 'partial', 'proration']),
  provider_status: z.enum(refundStatuses),
  override: z.enum(refundOverrides).nullable(),
  /** Why the administrator set the status. */
  override_reason: z.string().nullable(),
  reason: z.string().nullable(),
  /** What the operator wrote on the credit note of the refund. */
  memo: z.string().nullable(),
  payment_method: z.string(),
  occurred_at: dateColumn,
})
export type RefundRow = Readonly<z.infer<typeof refundRow>>

export const creditNoteRow = z.object({
  credit_note_id: z.string(),
  credit_note_ref: providerRef,
  number: z.string(),
  ...paymentColumns,
  /** The part that a refund of the table refund gave back. */
  refunded_minor: integerColumn,
  /** The part that reduced an amount that was still to be paid. */
  before_payment_minor: integerColumn,
  reason: z.string().nullable(),
  memo: z.string().nullable(),
  /** Where the credit went; null if the credit note gave none. */
  payment_method: z.string().nullable(),
  occurred_at: dateColumn,
  voided_at: dateColumn.nullable(),
})
export type CreditNoteRow = Readonly<z.infer<typeof creditNoteRow>>

export const disputeRow = z.object({
  dispute_id: z.string(),
  ...paymentColumns,
  kind: z.enum(disputeKinds),
  reason: z.string(),
  outcome: z.enum(disputeOutcomes).nullable(),
  occurred_at: dateColumn,
  closed_at: dateColumn.nullable(),
})
export type DisputeRow = Readonly<z.infer<typeof disputeRow>>
