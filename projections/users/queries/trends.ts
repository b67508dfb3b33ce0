import { z } from 'zod'
import type { AdminSummary } from '#contracts/admin/summary'
import { toMajorUnits } from '#contracts/currency'
import { homeCurrency } from '#projections/shared/home-currency'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { monthBucket, trendCounter, trendNames, type TrendName } from '../trends.ts'
import { schema } from './schema.ts'

const monthRow = z.object({ name: z.string(), month: z.string(), value: integerColumn })

/** `revenueMinor` is in minor units of the home currency. */
type Totals = Omit<AdminSummary['trends'][number], 'at' | 'totalRevenue'> & {
  readonly revenueMinor: number
}

const months = 12

/**
 * The dashboard's totals at the end of each of the last 12 months (UTC), oldest first. The last
 * entry is `totals`, as of `now`. An earlier entry is `totals` without the later changes. A plan
 * counts as active from its first payment to its expiration.
 */
export async function trends(
  db: Queryable,
  now: Date,
  { revenueMinor, ...totals }: Totals,
): Promise<AdminSummary['trends']> {
  const ends = Array.from({ length: months - 1 }, (_, index) =>
    startOfMonth(now, index + 2 - months),
  )
  const oldest = ends[0] ?? now
  const rows = await allRows(
    db,
    monthRow,
    `SELECT name, left(bucket, 7) AS month, sum(value) AS value FROM ${schema}.counter
     WHERE (name = ANY ($1) OR name = 'plans') AND bucket >= $2 GROUP BY 1, 2`,
    [trendNames.map(trendCounter), monthBucket(oldest)],
  )
  const sumFrom = (name: string, month: string) =>
    rows
      .filter((row) => row.name === name && row.month >= month)
      .reduce((sum, { value }) => sum + value, 0)

  return [
    ...ends.map((end) => {
      const month = monthBucket(end)
      const changedSince = (name: TrendName) => sumFrom(trendCounter(name), month)
      const users = totals.totalUsers - changedSince('users')
      const blocked = totals.totalUsers - totals.activeUsers - changedSince('blocked')
      return {
        at: end.toISOString(),
        totalUsers: Math.max(0, users),
        activeUsers: Math.max(0, users - blocked),
        totalRevenue: revenueAt(revenueMinor - changedSince('revenue')),
        activePlans: Math.max(0, sumFrom('plans', month) - changedSince('plans')),
        activeSubscriptions: Math.max(
          0,
          totals.activeSubscriptions - changedSince('subscriptions'),
        ),
      }
    }),
    { at: now.toISOString(), ...totals, totalRevenue: revenueAt(revenueMinor) },
  ]
}

const revenueAt = (minor: number) => toMajorUnits(minor, homeCurrency)

/** The first instant of the month that is `offset` months after the month of `at`. */
function startOfMonth(at: Date, offset: number): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + offset))
}
