import type { z } from 'zod'
import { toMajorUnits } from '#contracts/currency'
import { creditBalanceText } from '#contracts/payment-method-text'
import { plans } from '#contracts/plans'
import type { Payment, Transaction } from '#contracts/purchases'
import { specifiedPayment, specifiedTransaction } from '#contracts/specified-ids'
import type { Queryable } from '#services/foundation/queryable'
import { dateColumn } from '#services/foundation/columns'
import { allRows } from '#services/foundation/rows'
import { chargeRow } from '../rows.ts'
import { creditNoteName } from '../negative-payments.ts'
import { paidStatus, type AfterPayment } from './after-payment.ts'
import { schema } from './schema.ts'

/** `expires_at`: the end of the paid period, or the end of the subscription if that is earlier. */
export const listedCharge = chargeRow.extend({ expires_at: dateColumn.nullable() })
export type ListedCharge = Readonly<z.infer<typeof listedCharge>>

/** All charges of a customer, failed attempts included, latest first. */
export async function chargesOf(db: Queryable, userId: string): Promise<readonly ListedCharge[]> {
  return allRows(
    db,
    listedCharge,
    `SELECT c.*, least(c.period_end, s.ended_at) AS expires_at FROM ${schema}.charge c LEFT JOIN ${schema}.subscription s USING (subscription_id)
     WHERE c.user_id = $1 ORDER BY c.occurred_at DESC, c.charge_id DESC`,
    [userId],
  )
}

/** A paid invoice. An invoice of a negative total is a credit note: it adds to the balance. */
export function toPayment(row: ListedCharge, now: Date, after: AfterPayment): Payment {
  const isCredit = row.amount_minor < 0
  return {
    payment_id: row.payment_id,
    amount_total: toMajorUnits(row.amount_minor, row.currency),
    currency: row.currency,
    payment_method: isCredit ? creditBalanceText : row.payment_method,
    payment_status: paidStatus(row, after),
    ...specifiedPayment(row.payment_ref),
    created_at: row.occurred_at.toISOString(),
    plan_name: isCredit ? creditNoteName(row.plan_name) : row.plan_name,
    plan_status: row.expires_at && row.expires_at > now ? 'active' : 'expired',
    plan_accounts: plans.find(({ id }) => id === row.plan_id)?.accounts ?? null,
    plan_id: row.plan_id,
  }
}

/** An entry of the transaction history. Every attempt is an entry. */
export function toTransaction(row: ListedCharge, after: AfterPayment): Transaction {
  const isPaid = row.status === 'paid'
  const isCredit = row.amount_minor < 0
  return {
    id: row.charge_id,
    // An invoice of a negative total is a credit for a plan change.
    type: isCredit ? 'credit_note' : 'payment',
    amount: toMajorUnits(row.amount_minor, row.currency),
    currency: row.currency,
    status: isPaid ? paidStatus(row, after) : row.status,
    created_at: row.occurred_at.toISOString(),
    ...specifiedTransaction(row.payment_ref ?? row.invoice_ref),
    description: row.plan_name ?? 'Subscription Plan',
    payment_method: isCredit ? creditBalanceText : row.payment_method,
    reason: null,
    memo: null,
    receipt_url: isPaid ? `/receipts/${row.payment_id}` : null,
  }
}
