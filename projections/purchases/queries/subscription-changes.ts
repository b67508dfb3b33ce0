import { toMajorUnits } from '#contracts/currency'
import type { SubscriptionChange } from '#contracts/purchases'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { changeRow, type ChangeRow } from '../rows.ts'
import { schema } from './schema.ts'

/** A customer's subscription changes, latest first, withdrawn changes included. */
export async function subscriptionChangesOf(
  db: Queryable,
  userId: string,
): Promise<SubscriptionChange[]> {
  const rows = await allRows(
    db,
    changeRow,
    `SELECT * FROM ${schema}.change WHERE user_id = $1 ORDER BY requested_at DESC, change_id DESC`,
    [userId],
  )
  return rows.map(toSubscriptionChange)
}

function toSubscriptionChange(row: ChangeRow): SubscriptionChange {
  const requestedAt = row.requested_at.toISOString()
  return {
    change_id: row.change_id,
    change_type: row.change_type,
    change_date: requestedAt,
    effective_date: row.effective_at.toISOString(),
    original_plan_name: row.old_plan_name,
    previous_plan: row.old_plan_name,
    new_plan_name: row.new_plan_name,
    new_plan: row.new_plan_name,
    proration_amount:
      row.proration_minor === null ? null : toMajorUnits(row.proration_minor, row.currency),
    currency: row.currency,
    created_at: requestedAt,
    old_plan: row.old_plan_name,
    old_interval: row.old_interval,
    new_interval: row.new_interval,
    old_next_billing: row.old_next_billing?.toISOString() ?? null,
    new_next_billing: row.new_next_billing?.toISOString() ?? null,
    withdrawn_date: row.withdrawn_at?.toISOString() ?? null,
  }
}
