import { shownRefundStatus } from '#contracts/refund-status'
import { isLive } from '#contracts/subscription-status'
import { dayBucket, type Counter } from '#projections/listing/counters'
import { computedClass, expirationsOf } from './computed-columns.ts'
import type { TrendCounter } from './trends.ts'
import type { User } from './user.ts'

/**
 * The stored sums:
 * - 'users' by class (`computedClass`)
 * - 'plans' by the day of their expiration (UTC)
 * - live 'subscriptions'
 * - 'paid' and 'refunded' by currency, in minor units: the refunds that succeeded
 * - 'refunds' by kind and by shown status
 * - 'lost disputes'
 * - the changes of each month (`trends.ts`)
 */
type CounterName =
  | 'users'
  | 'plans'
  | 'subscriptions'
  | 'paid'
  | 'refunded'
  | 'refunds'
  | 'lost disputes'
  | TrendCounter

export type UserCounter = Counter<CounterName>

/** The part of each sum that one user contributes. */
export function sharesOf(user: User): UserCounter[] {
  return [
    { name: 'users', bucket: computedClass(user), value: 1 },
    ...expirationsOf(user).map(
      (expiry) => ({ name: 'plans', bucket: dayBucket(new Date(expiry)), value: 1 }) as const,
    ),
    ...user.plans
      .filter(({ status }) => status !== null && isLive(status))
      .map(() => ({ name: 'subscriptions', bucket: 'live', value: 1 }) as const),
    ...Object.entries(user.spending).flatMap(([currency, { paid, refunded }]) => [
      { name: 'paid', bucket: currency, value: paid } as const,
      { name: 'refunded', bucket: currency, value: refunded } as const,
    ]),
    ...user.refunds.flatMap(({ kind, status, override }) => [
      { name: 'refunds', bucket: kind, value: 1 } as const,
      { name: 'refunds', bucket: shownRefundStatus(status, override), value: 1 } as const,
    ]),
    { name: 'lost disputes', bucket: 'all', value: user.lost_disputes.length },
  ]
}
