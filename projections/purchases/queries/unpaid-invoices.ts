import { toMajorUnits } from '#contracts/currency'
import { declineReason, needsConfirmationOf } from '#contracts/decline-reason'
import type { UnpaidInvoice } from '#contracts/purchases'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { unpaidInvoiceRow, type UnpaidInvoiceRow } from '../rows.ts'
import { schema } from './schema.ts'

/** The invoices that a customer can still pay, oldest failure first. */
export async function unpaidInvoicesOf(
  db: Queryable,
  userId: string,
): Promise<readonly UnpaidInvoiceRow[]> {
  return allRows(
    db,
    unpaidInvoiceRow,
    `SELECT * FROM ${schema}.unpaid_invoice WHERE user_id = $1 AND is_open ORDER BY failed_at, payment_id`,
    [userId],
  )
}

export function toUnpaidInvoice(row: UnpaidInvoiceRow): UnpaidInvoice {
  return {
    payment_id: row.payment_id,
    amount: toMajorUnits(row.due_minor, row.currency),
    currency: row.currency,
    failed_at: row.failed_at.toISOString(),
    reason: declineReason(row.code, row.reason),
    needs_confirmation: needsConfirmationOf(row.code),
    payment_method: row.payment_method,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  }
}
