import { intervalText } from '#contracts/billing-interval'
import { intervalCategory } from '#contracts/interval-category'
import { isLive } from '#contracts/subscription-status'
import type { Counter } from '#projections/listing/counters'
import { rowClass } from '#projections/listing/row-class'
import type { SubscriptionRow } from '../rows.ts'

/** The columns by which the administrator's active plans are filtered. */
export interface SubscriptionColumns {
  /** Null if the subscription is not live, so that no list has it. */
  readonly class: string | null
}

export function subscriptionColumns(row: SubscriptionRow): SubscriptionColumns {
  if (!isLive(row.status)) return { class: null }
  const interval = intervalText({ count: row.interval_count, unit: row.interval_unit })
  const category = intervalCategory(interval, row.plan_name) ?? 'other'
  return { class: rowClass([row.status, category], [row.plan_name]) }
}

export function sharesOfSubscription(row: SubscriptionRow): readonly Counter[] {
  const { class: name } = subscriptionColumns(row)
  return name === null ? [] : [{ name: 'subscription', bucket: name, value: 1 }]
}
