import dayjs from 'dayjs'
import utc from 'dayjs/plugin/utc.js'
import { z } from 'zod'
import { toMajorUnits } from '#contracts/currency'
import type { ProviderRef } from '#contracts/events/provider-ref'
import { parseUserId, type SubscriptionId, type UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { Subscription } from '#contracts/purchases'
import { specifiedSubscription } from '#contracts/specified-ids'
import { hasEnded } from '#contracts/subscription-status'
import { intervalText } from '#contracts/billing-interval'
import { onboardingEnd } from '#services/foundation/business-hours'
import { dateColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow } from '#services/foundation/rows'
import {
  subscriptionRow,
  type PlannedChange,
  type SubscriptionRow,
  type UnpaidInvoiceRow,
} from '../rows.ts'
import { schema } from './schema.ts'
import { toUnpaidInvoice, unpaidInvoicesOf } from './unpaid-invoices.ts'

dayjs.extend(utc)

export const paidSubscription = subscriptionRow.safeExtend({ paid_until: dateColumn.nullable() })
export type PaidSubscription = Readonly<z.infer<typeof paidSubscription>>

/**
 * The column `paid_until` of the subscription `s`. The payments have the end of each paid period,
 * so the latest end of a plan cannot differ from what they show.
 */
export const paidUntilColumn = `(SELECT max(p.expires_at) FROM ${schema}.payment p
  WHERE p.user_id = s.user_id AND p.subscription_id = s.subscription_id) AS paid_until`

const listedSubscription = paidSubscription.safeExtend({
  related_payment_id: z.string().nullable(),
})
type ListedSubscription = Readonly<z.infer<typeof listedSubscription>>

/**
 * All of a customer's subscriptions. Subscriptions that have not ended come first; within each
 * group the latest first. A planned plan change follows its subscription as a subscription of its
 * own that starts later.
 */
export async function subscriptionsOf(db: Queryable, userId: string): Promise<Subscription[]> {
  const unpaid = await unpaidInvoicesOf(db, userId)
  const rows = await allRows(
    db,
    listedSubscription,
    `SELECT s.*, ${paidUntilColumn}, paid.payment_id AS related_payment_id FROM ${schema}.subscription s
     LEFT JOIN LATERAL (
       SELECT payment_id FROM ${schema}.charge c
       WHERE c.user_id = s.user_id AND c.subscription_id = s.subscription_id AND c.status = 'paid' ORDER BY occurred_at DESC, charge_id DESC LIMIT 1
     ) AS paid ON true
     WHERE s.user_id = $1 ORDER BY s.started_at DESC, s.subscription_id DESC`,
    [userId],
  )
  const ended = rows.filter(({ status }) => hasEnded(status))
  return [...rows.filter((row) => !ended.includes(row)), ...ended].flatMap((row) => [
    toSubscription(row, unpaid),
    ...upcomingSubscription(row),
  ])
}

const owner = z.object({ user_id: z.string().transform(parseUserId) })

/** Null if the subscription is unknown. */
export async function ownerOfSubscription(
  db: Queryable,
  id: SubscriptionId | ProviderRef,
): Promise<UserId | null> {
  const row = await firstRow(
    db,
    owner,
    `SELECT user_id FROM ${schema}.subscription WHERE subscription_id = $1 OR subscription_ref = $1`,
    [id],
  )
  return row?.user_id ?? null
}

/** Whether a subscription that the API shows has not ended. */
export function hasNotEnded({ status }: Pick<Subscription, 'status'>): boolean {
  return !hasEnded(status)
}

function toSubscription(
  row: ListedSubscription,
  unpaid: readonly UnpaidInvoiceRow[],
): Subscription {
  const cancelAt = hasEnded(row.status) ? null : row.cancel_at
  const hasSuccessor = row.planned_change !== null
  return {
    id: row.subscription_id,
    subscription_id: row.subscription_id,
    ...specifiedSubscription(row.subscription_ref),
    ...planFields(row, hasSuccessor, false),
    status: row.status,
    cancel_at_period_end:
      cancelAt !== null && cancelAt.getTime() === row.current_period_end.getTime(),
    will_cancel: cancelAt !== null,
    cancel_at: cancelAt?.toISOString() ?? null,
    resumes_at: row.resumes_at?.toISOString() ?? null,
    next_subscription_id: hasSuccessor ? upcomingId(row) : null,
    previous_subscription_id: null,
    current_period_start: row.current_period_start.toISOString(),
    current_period_end: row.current_period_end.toISOString(),
    paid_until: row.paid_until?.toISOString() ?? null,
    related_payment_id: row.related_payment_id,
    onboarding_ends_at: row.activated_at && onboardingEnd(row.activated_at.toISOString()),
    unpaid_invoices: unpaid
      .filter(({ subscription_id }) => subscription_id === row.subscription_id)
      .map(toUnpaidInvoice),
    manage_url: portalUrl(row, 'manage'),
  }
}

/**
 * The plan that a schedule plans. The provider keeps the subscription's id, so the id of this entry
 * is the product's own. Its first period has no end yet: the entry shows one interval.
 */
function upcomingSubscription(row: ListedSubscription): Subscription[] {
  const { planned_change: planned } = row
  if (planned === null) return []
  return [
    {
      id: upcomingId(row),
      subscription_id: upcomingId(row),
      ...specifiedSubscription(row.subscription_ref),
      ...planFields(planned, false, true),
      status: 'scheduled',
      cancel_at_period_end: false,
      will_cancel: false,
      cancel_at: null,
      resumes_at: null,
      next_subscription_id: null,
      previous_subscription_id: row.subscription_id,
      current_period_start: planned.starts_at,
      current_period_end: endOfInterval(planned),
      paid_until: null,
      related_payment_id: null,
      onboarding_ends_at: null,
      unpaid_invoices: [],
      manage_url: portalUrl(row, 'manage'),
    },
  ]
}

function planFields(
  plan: Pick<
    SubscriptionRow,
    | 'plan_id'
    | 'plan_name'
    | 'price_minor'
    | 'quantity'
    | 'currency'
    | 'interval_unit'
    | 'interval_count'
  >,
  hasSuccessor: boolean,
  isPlanChange: boolean,
) {
  const interval = intervalText({ count: plan.interval_count, unit: plan.interval_unit })
  return {
    name: plan.plan_name,
    plan_name: plan.plan_name,
    plan_id: plan.plan_id,
    interval,
    plan_interval: interval,
    price: toMajorUnits(plan.price_minor * plan.quantity, plan.currency),
    currency: plan.currency,
    metadata: {
      custom_interval: plan.interval_count === 1 ? null : interval,
      plan_interval: interval,
      pending_replacement: hasSuccessor,
      is_plan_change: isPlanChange,
    },
    is_plan_change: isPlanChange,
  }
}

function upcomingId({ subscription_id }: SubscriptionRow): string {
  return `${subscription_id}_next`
}

/** A page of the provider's portal, which the product creates on each click. */
export function portalUrl(
  { subscription_id }: Pick<SubscriptionRow, 'subscription_id'>,
  action: 'manage' | 'cancel',
): string {
  return `/api/portal/${encodeURIComponent(subscription_id)}?action=${action}`
}

/** One interval after the start. A month without the day ends on its last day. */
function endOfInterval({ starts_at, interval_unit, interval_count }: PlannedChange): Instant {
  const unit = z.enum(['day', 'week', 'month', 'year']).parse(interval_unit)
  return dayjs.utc(starts_at).add(interval_count, unit).toISOString()
}
