import { isLive } from '#contracts/subscription-status'
import type { Counter } from '#projections/listing/counters'
import { homeCurrency } from '#projections/shared/home-currency'
import { expirationsOf } from './computed-columns.ts'
import type { User } from './user.ts'

/**
 * The totals whose course over the months is stored, as sums of the changes in each month (UTC):
 * - `users` and `blocked` users
 * - `plans` that were paid for, expired ones included
 * - live `subscriptions`
 * - `revenue` in the home currency, in minor units
 */
export const trendNames = ['users', 'blocked', 'plans', 'subscriptions', 'revenue'] as const
export type TrendName = (typeof trendNames)[number]

export type TrendCounter = `${TrendName} by month`

/** `trendCounter('users')` is `users by month`, a name of a stored sum. */
export const trendCounter = <Name extends TrendName>(name: Name) => `${name} by month` as const

/** The UTC month, for example `2026-03`. Text order is date order. */
export function monthBucket(at: Date): string {
  return at.toISOString().slice(0, 7)
}

/** What one event changed in the sums of the month in which it happened. */
export function trendChange(
  before: User | undefined,
  after: User,
  at: Date,
): readonly Counter<TrendCounter>[] {
  if (before === after) return []
  const earlier = before && figuresOf(before)
  const later = figuresOf(after)
  // Most events change no total.
  const changed = trendNames.filter((name) => later[name] !== (earlier?.[name] ?? 0))
  if (changed.length === 0) return []
  const bucket = monthBucket(at)
  return changed.map((name) => ({
    name: trendCounter(name),
    bucket,
    value: later[name] - (earlier?.[name] ?? 0),
  }))
}

function figuresOf(user: User): Readonly<Record<TrendName, number>> {
  const { paid, refunded } = user.spending[homeCurrency] ?? { paid: 0, refunded: 0 }
  return {
    users: 1,
    blocked: user.blocked ? 1 : 0,
    plans: expirationsOf(user).length,
    subscriptions: user.plans.filter(({ status }) => status !== null && isLive(status)).length,
    revenue: paid - refunded,
  }
}
