import type { AdminRefund, AdminRefundsQuery } from '#contracts/admin/refunds'
import { toMajorUnits } from '#contracts/currency'
import { shownRefundStatus } from '#contracts/refund-status'
import type { List } from '#projections/listing/list'
import { allRows } from '#services/foundation/rows'
import { refundsTable } from '../lists/tables.ts'
import { refundRow, type CustomerRow, type RefundRow } from '../rows.ts'
import { customersOf } from './customers.ts'
import { schema } from './schema.ts'

/** The administrator's refunds. Their classes: the shown status. */
export const refundsList: List<AdminRefundsQuery, AdminRefund> = {
  ...refundsTable,
  schema,
  selects: ([shown], { status }) => status === 'all' || shown === status,
  async read(db, ids) {
    const rows = await allRows(
      db,
      refundRow,
      `SELECT * FROM ${schema}.refund WHERE refund_id = ANY ($1)`,
      [ids],
    )
    const customers = await customersOf(db, rows)
    return rows.map((row) => ({ key: row.refund_id, item: toAdminRefund(row, customers(row)) }))
  },
}

function toAdminRefund(row: RefundRow, customer: CustomerRow): AdminRefund {
  const { currency, captured_minor: captured } = row
  return {
    refund_id: row.refund_id,
    user_id: row.user_id,
    user_name: customer.full_name,
    user_email: customer.email,
    plan_name: row.plan_name,
    currency,
    amount: toMajorUnits(row.amount_minor, currency),
    status: shownRefundStatus(row.provider_status, row.override),
    provider_status: row.provider_status,
    is_overridden: row.override !== null,
    override_reason: row.override_reason,
    reason: row.reason,
    memo: row.memo,
    refund_type: row.kind,
    payment_id: row.payment_id,
    subscription_id: row.subscription_id,
    original_payment_amount: captured === null ? null : toMajorUnits(captured, currency),
    created_at: row.occurred_at.toISOString(),
    user_blocked: customer.blocked,
  }
}
