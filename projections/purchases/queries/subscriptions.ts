import { z } from 'zod'
import { toMajorUnits } from '#contracts/currency'
import type { Subscription } from '#contracts/purchases'
import { hasEnded } from '#contracts/subscription-status'
import { intervalText } from '#contracts/billing-interval'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { subscriptionRow } from '../rows.ts'
import { schema } from './schema.ts'

const listedSubscription = subscriptionRow.safeExtend({ related_payment_id: z.string().nullable() })
type ListedSubscription = Readonly<z.infer<typeof listedSubscription>>

/**
 * All of a customer's subscriptions. Subscriptions that have not ended come first; within each
 * group the latest first.
 */
export async function subscriptionsOf(db: Queryable, userId: string): Promise<Subscription[]> {
  const rows = await allRows(
    db,
    listedSubscription,
    `SELECT s.*, paid.payment_id AS related_payment_id FROM ${schema}.subscription s
     LEFT JOIN LATERAL (
       SELECT payment_id FROM ${schema}.charge c
       WHERE c.user_id = s.user_id AND c.subscription_id = s.subscription_id AND c.status = 'paid' ORDER BY occurred_at DESC, charge_id DESC LIMIT 1
     ) AS paid ON true
     WHERE s.user_id = $1 ORDER BY s.started_at DESC, s.subscription_id DESC`,
    [userId],
  )
  const ended = rows.filter(({ status }) => hasEnded(status))
  return [...rows.filter((row) => !ended.includes(row)), ...ended].map(toSubscription)
}

/** Whether a subscription that the API shows has not ended. */
export function hasNotEnded({ status }: Pick<Subscription, 'status'>): boolean {
  return !hasEnded(status)
}

function toSubscription(row: ListedSubscription): Subscription {
  const interval = intervalText({ count: row.interval_count, unit: row.interval_unit })
  const cancelAt = hasEnded(row.status) ? null : row.cancel_at
  return {
    id: row.subscription_id,
    subscription_id: row.subscription_id,
    stripe_subscription_id: row.stripe_subscription_id,
    name: row.plan_name,
    plan_name: row.plan_name,
    plan_id: row.plan_id,
    status: row.status,
    interval,
    plan_interval: interval,
    price: toMajorUnits(row.price_minor * row.quantity, row.currency),
    currency: row.currency,
    metadata: {
      custom_interval: row.interval_count === 1 ? null : interval,
      plan_interval: interval,
      pending_replacement: false,
      is_plan_change: false,
    },
    cancel_at_period_end:
      cancelAt !== null && cancelAt.getTime() === row.current_period_end.getTime(),
    will_cancel: cancelAt !== null,
    cancel_at: cancelAt?.toISOString() ?? null,
    // A plan change keeps the subscription, so no subscription has a predecessor or a successor.
    next_subscription_id: null,
    previous_subscription_id: null,
    is_plan_change: false,
    current_period_start: row.current_period_start.toISOString(),
    current_period_end: row.current_period_end.toISOString(),
    related_payment_id: row.related_payment_id,
    manage_url: `/api/portal/${encodeURIComponent(row.subscription_id)}?action=manage`,
  }
}
