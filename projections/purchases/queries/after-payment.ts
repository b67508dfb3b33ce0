import { toMajorUnits } from '#contracts/currency'
import type { PaidStatus } from '#contracts/payment-status'
import type { Payment, Refund, Transaction } from '#contracts/purchases'
import { hasReturnedMoney, shownRefundStatus } from '#contracts/refund-status'
import { specifiedDocument, specifiedPayment, specifiedTransaction } from '#contracts/specified-ids'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import {
  creditNoteRow,
  disputeRow,
  refundRow,
  type CreditNoteRow,
  type CustomerRow,
  type DisputeRow,
  type RefundRow,
} from '../rows.ts'
import { creditNoteName, creditOf, isListedRefund, refundName } from '../negative-payments.ts'
import { schema } from './schema.ts'

/** What followed a customer's payments, latest first. */
export interface AfterPayment {
  readonly refunds: readonly RefundRow[]
  readonly creditNotes: readonly CreditNoteRow[]
  readonly disputes: readonly DisputeRow[]
}

export async function afterPaymentOf(db: Queryable, userId: string): Promise<AfterPayment> {
  const [refunds, creditNotes, disputes] = await Promise.all([
    allRows(
      db,
      refundRow,
      `SELECT * FROM ${schema}.refund WHERE user_id = $1 ORDER BY occurred_at DESC, refund_id DESC`,
      [userId],
    ),
    allRows(
      db,
      creditNoteRow,
      `SELECT * FROM ${schema}.credit_note WHERE user_id = $1 ORDER BY occurred_at DESC, credit_note_id DESC`,
      [userId],
    ),
    allRows(
      db,
      disputeRow,
      `SELECT * FROM ${schema}.dispute WHERE user_id = $1 ORDER BY occurred_at DESC, dispute_id DESC`,
      [userId],
    ),
  ])
  return { refunds, creditNotes, disputes }
}

/**
 * The status of a payment after what followed it. A chargeback that is open or lost comes first.
 * 'refunded' only if the refunds that succeeded reach the payment's amount.
 */
export function paidStatus(
  { payment_id, amount_minor }: { readonly payment_id: string; readonly amount_minor: number },
  { refunds, disputes }: AfterPayment,
): PaidStatus {
  const outcomes = disputes
    .filter((each) => each.payment_id === payment_id && each.kind === 'chargeback')
    .map(({ outcome }) => outcome)
  if (outcomes.includes('lost')) return 'dispute_lost'
  if (outcomes.includes(null)) return 'disputed'
  const returned = refunds
    .filter((each) => each.payment_id === payment_id && hasReturnedMoney(each.provider_status))
    .reduce((sum, each) => sum + each.amount_minor, 0)
  return returned > 0 && returned >= amount_minor ? 'refunded' : 'paid'
}

/**
 * The status of every credit note, as of an invoice of a negative total. 'refunded' is the status
 * of a payment that was refunded in full.
 */
const creditNoteStatus = 'paid'

/** The rows with a negative amount. A refund that failed gave nothing back, so it has no row. */
export function toNegativePayments({ refunds, creditNotes }: AfterPayment): readonly Payment[] {
  return [
    ...refunds.filter(isListedRefund).map((row): Payment => ({
      ...negativePayment(row, row.amount_minor),
      payment_id: row.refund_id,
      payment_method: row.payment_method,
      payment_status: shownRefundStatus(row.provider_status, row.override),
      ...specifiedPayment(row.payment_ref),
      plan_name: refundName(row.plan_name),
    })),
    ...creditNotes
      .filter((row) => creditOf(row) > 0)
      .map((row): Payment => ({
        ...negativePayment(row, creditOf(row)),
        payment_id: row.credit_note_id,
        payment_method: row.payment_method,
        payment_status: creditNoteStatus,
        ...specifiedPayment(null),
        plan_name: creditNoteName(row.plan_name),
      })),
  ]
}

function negativePayment(row: RefundRow | CreditNoteRow, amount: number) {
  return {
    amount_total: toMajorUnits(-amount, row.currency),
    currency: row.currency,
    created_at: row.occurred_at.toISOString(),
    plan_status: null,
    plan_accounts: null,
    plan_id: null,
  }
}

export function toNegativeTransactions({
  refunds,
  creditNotes,
}: AfterPayment): readonly Transaction[] {
  return [
    ...refunds.map((row): Transaction => ({
      id: row.refund_id,
      type: 'refund',
      amount: toMajorUnits(-row.amount_minor, row.currency),
      currency: row.currency,
      status: shownRefundStatus(row.provider_status, row.override),
      created_at: row.occurred_at.toISOString(),
      ...specifiedTransaction(row.refund_ref),
      description: row.plan_name ?? 'Subscription Plan',
      payment_method: row.payment_method,
      reason: row.reason,
      memo: row.memo,
      receipt_url: `/receipts/${row.refund_id}`,
    })),
    ...creditNotes
      .filter((row) => creditOf(row) > 0)
      .map((row): Transaction => ({
        id: row.credit_note_id,
        type: 'credit_note',
        amount: toMajorUnits(-creditOf(row), row.currency),
        currency: row.currency,
        status: creditNoteStatus,
        created_at: row.occurred_at.toISOString(),
        ...specifiedDocument(row.number),
        description: row.plan_name ?? 'Subscription Plan',
        payment_method: row.payment_method,
        reason: row.reason,
        memo: row.memo,
        receipt_url: null,
      })),
  ]
}

export function toRefund(row: RefundRow, customer: CustomerRow): Refund {
  const { currency } = row
  return {
    refund_id: row.refund_id,
    payment_id: row.payment_id,
    subscription_id: row.subscription_id,
    created_at: row.occurred_at.toISOString(),
    amount: toMajorUnits(row.amount_minor, currency),
    currency,
    user_email: customer.email,
    user_name: customer.full_name ?? customer.email,
    plan_name: row.plan_name ?? 'Subscription Plan',
    refund_reason: row.reason,
    refund_memo: row.memo,
    refund_type: row.kind,
    status: shownRefundStatus(row.provider_status, row.override),
    provider_status: row.provider_status,
    original_payment_amount:
      row.captured_minor === null ? null : toMajorUnits(row.captured_minor, currency),
  }
}
