import type {
  AdminSubscription,
  AdminSubscriptionsQuery,
} from '#contracts/admin/active-subscriptions'
import { specifiedSubscription } from '#contracts/specified-ids'
import { isUnpaid } from '#contracts/subscription-status'
import { intervalText } from '#contracts/billing-interval'
import { toMajorUnits } from '#contracts/currency'
import type { List } from '#projections/listing/list'
import { allRows } from '#services/foundation/rows'
import { subscriptionsTable } from '../lists/tables.ts'
import type { CustomerRow } from '../rows.ts'
import { customersOf } from './customers.ts'
import { schema } from './schema.ts'
import {
  paidSubscription,
  paidUntilColumn,
  portalUrl,
  type PaidSubscription,
} from './subscriptions.ts'

/** The administrator's active plans. Their classes: the status and the interval category. */
export const subscriptionsList: List<AdminSubscriptionsQuery, AdminSubscription> = {
  ...subscriptionsTable,
  schema,
  selects: ([state, category], { status, interval }) =>
    isSelected(status, state) && (interval === undefined || category === interval),
  async read(db, ids) {
    const rows = await allRows(
      db,
      paidSubscription,
      `SELECT s.*, ${paidUntilColumn} FROM ${schema}.subscription s WHERE s.subscription_id = ANY ($1)`,
      [ids],
    )
    const customers = await customersOf(db, rows)
    return rows.map((row) => ({
      key: row.subscription_id,
      item: toAdminSubscription(row, customers(row)),
    }))
  },
}

function isSelected(
  filter: AdminSubscriptionsQuery['status'],
  status: string | undefined,
): boolean {
  if (filter === 'all') return true
  return filter === 'past_due' ? isUnpaid(status ?? '') : status === filter
}

function toAdminSubscription(row: PaidSubscription, customer: CustomerRow): AdminSubscription {
  return {
    subscription_id: row.subscription_id,
    ...specifiedSubscription(row.subscription_ref),
    user_id: row.user_id,
    user_name: customer.full_name,
    user_email: customer.email,
    company_name: customer.company_name,
    plan_id: row.plan_id,
    plan_name: row.plan_name,
    interval: intervalText({ count: row.interval_count, unit: row.interval_unit }),
    price: toMajorUnits(row.price_minor * row.quantity, row.currency),
    currency: row.currency,
    status: row.status,
    created_at: row.started_at.toISOString(),
    current_period_start: row.current_period_start.toISOString(),
    current_period_end: row.current_period_end.toISOString(),
    paid_until: row.paid_until?.toISOString() ?? null,
    cancel_at: row.cancel_at?.toISOString() ?? null,
    manage_url: portalUrl(row, 'manage'),
    cancellation_url: portalUrl(row, 'cancel'),
    user_blocked: customer.blocked,
  }
}
