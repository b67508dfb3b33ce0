import { shownRefundStatus } from '#contracts/refund-status'
import { isLive } from '#contracts/subscription-status'
import type { Queryable } from '#services/foundation/queryable'
import { expirationsOf } from './computed-columns.ts'
import type { trendCounter } from './trends.ts'
import type { User } from './user.ts'

/**
 * The stored sums:
 * - 'users' by type and block
 * - 'plans' by the day of their expiration (UTC)
 * - live 'subscriptions'
 * - 'paid' and 'refunded' by currency, in minor units: the refunds that succeeded
 * - 'refunds' by kind and by shown status
 * - the changes of each month (`trends.ts`)
 */
type CounterName =
  | 'users'
  | 'plans'
  | 'subscriptions'
  | 'paid'
  | 'refunded'
  | 'refunds'
  | ReturnType<typeof trendCounter>

export interface Counter {
  readonly name: CounterName
  readonly bucket: string
  readonly value: number
}

/** `usersBucket(4, true)` is `4 blocked`. */
export function usersBucket(userType: number, blocked: boolean): string {
  return `${userType} ${blocked ? 'blocked' : 'active'}`
}

/** The UTC day, for example `2026-03-01`. Text order is date order. */
export function dayBucket(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** The part of each sum that one user contributes. */
function sharesOf(user: User): Counter[] {
  return [
    { name: 'users', bucket: usersBucket(user.user_type, user.blocked), value: 1 },
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
  ]
}

/** The changes of the sums when the users `before` become the users `after`. */
export function changeOfCounters(
  before: Iterable<User>,
  after: Iterable<User>,
): readonly Counter[] {
  return addedUp([
    ...[...before]
      .flatMap(sharesOf)
      .map(({ name, bucket, value }) => ({ name, bucket, value: -value })),
    ...[...after].flatMap(sharesOf),
  ])
}

/** One counter per name and bucket, with the sum of the values. Leaves out sums of 0. */
export function addedUp(counters: Iterable<Counter>): readonly Counter[] {
  const sums = new Map<string, Counter>()
  for (const { name, bucket, value } of counters) {
    const key = `${name} ${bucket}`
    sums.set(key, { name, bucket, value: (sums.get(key)?.value ?? 0) + value })
  }
  return [...sums.values()].filter(({ value }) => value !== 0)
}

/**
 * Adds `changes` to the stored sums. Deletes sums of 0, so that equal histories have equal rows.
 * Updates the sums in the order of their keys: two shards that update the same sums do not
 * deadlock.
 */
export async function moveCounters(
  tx: Queryable,
  schema: string,
  changes: readonly Counter[],
): Promise<void> {
  if (changes.length === 0) return
  const names = changes.map(({ name }) => name)
  const buckets = changes.map(({ bucket }) => bucket)
  await tx.query(
    `INSERT INTO ${schema}.counter AS c (name, bucket, value)
     SELECT name, bucket, value FROM unnest($1::text[], $2::text[], $3::bigint[]) AS moved (name, bucket, value) ORDER BY name, bucket
     ON CONFLICT (name, bucket) DO UPDATE SET value = c.value + excluded.value`,
    [names, buckets, changes.map(({ value }) => value)],
  )
  await tx.query(
    `DELETE FROM ${schema}.counter c USING unnest($1::text[], $2::text[]) AS moved (name, bucket)
     WHERE c.name = moved.name AND c.bucket = moved.bucket AND c.value = 0`,
    [names, buckets],
  )
}
