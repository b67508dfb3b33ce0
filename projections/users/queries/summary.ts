import { z } from 'zod'
import type { AdminSummary } from '#contracts/admin/summary'
import { toMajorUnits } from '#contracts/currency'
import { homeCurrency } from '#projections/shared/home-currency'
import { dayBucket } from '#projections/listing/counters'
import { moment } from '#projections/listing/moment'
import { facetsOf } from '#projections/listing/row-class'
import type { Queryable } from '#services/foundation/queryable'
import { integerColumn } from '#services/foundation/columns'
import { allRows } from '#services/foundation/rows'
import { trends } from './trends.ts'
import { schema } from './schema.ts'

const counterRow = z.object({ name: z.string(), bucket: z.string(), value: integerColumn })

/** The part of the dashboard's cards that this read model has. */
export type UsersSummary = Pick<
  AdminSummary,
  | 'totalUsers'
  | 'activeUsers'
  | 'totalRevenue'
  | 'currency'
  | 'otherRevenue'
  | 'lostDisputes'
  | 'activePlans'
  | 'activeSubscriptions'
  | 'usersByType'
  | 'refunds'
  | 'trends'
>

/**
 * The dashboard's cards, as of `now`. Reads stored sums, so the time does not depend on the number
 * of users.
 */
export async function summary(db: Queryable, now: Date): Promise<UsersSummary> {
  const counters = await allRows(
    db,
    counterRow,
    `SELECT name, bucket, value FROM ${schema}.counter WHERE name <> 'plans' AND name NOT LIKE '% by month'
     UNION ALL
     SELECT 'plans', 'active', coalesce(sum(value), 0) + (${expiringLaterToday(now)}) FROM ${schema}.counter WHERE name = 'plans' AND bucket > $1`,
    [dayBucket(now)],
  )
  const valueOf = (name: string, bucket: string) =>
    counters.find((counter) => counter.name === name && counter.bucket === bucket)?.value ?? 0
  const usersOf = (facet: string) =>
    counters
      .filter(({ name, bucket }) => name === 'users' && facetsOf(bucket).includes(facet))
      .reduce((sum, { value }) => sum + value, 0)
  const usersByType = {
    emailOnly: usersOf('1'),
    withCompany: usersOf('2'),
    verified: usersOf('3'),
    paying: usersOf('4'),
  }
  const totalUsers = Object.values(usersByType).reduce((sum, count) => sum + count, 0)
  const revenueMinor = (currency: string) =>
    valueOf('paid', currency) - valueOf('refunded', currency)
  const revenueIn = (currency: string) => toMajorUnits(revenueMinor(currency), currency)
  const refundedIn = (currency: string) => toMajorUnits(valueOf('refunded', currency), currency)
  const refundsOf = {
    full: valueOf('refunds', 'full'),
    partial: valueOf('refunds', 'partial'),
    proration: valueOf('refunds', 'proration'),
  }
  const otherCurrenciesOf = (...sums: readonly ('paid' | 'refunded')[]) => {
    const others = counters.filter(
      ({ name, bucket, value }) =>
        sums.some((sum) => sum === name) && bucket !== homeCurrency && value !== 0,
    )
    return [...new Set(others.map(({ bucket }) => bucket))].sort()
  }

  const totals = {
    totalUsers,
    activeUsers: usersOf('active'),
    activePlans: valueOf('plans', 'active'),
    activeSubscriptions: valueOf('subscriptions', 'live'),
  }
  return {
    ...totals,
    totalRevenue: revenueIn(homeCurrency),
    lostDisputes: valueOf('lost disputes', 'all'),
    trends: await trends(db, now, { ...totals, revenueMinor: revenueMinor(homeCurrency) }),
    currency: homeCurrency,
    // A refund can be of a payment that no invoice of the product has.
    otherRevenue: otherCurrenciesOf('paid', 'refunded').map((currency) => ({
      currency,
      amount: revenueIn(currency),
    })),
    refunds: {
      total: refundsOf.full + refundsOf.partial + refundsOf.proration,
      totalAmount: refundedIn(homeCurrency),
      otherAmounts: otherCurrenciesOf('refunded').map((currency) => ({
        currency,
        amount: refundedIn(currency),
      })),
      succeeded: valueOf('refunds', 'succeeded'),
      ...refundsOf,
    },
    usersByType,
  }
}

/**
 * The number of plans that expire today after `now`. Stored sums are per day, so these plans are
 * counted one by one.
 */
function expiringLaterToday(now: Date): string {
  const from = moment(now)
  const midnight = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
  const until = moment(midnight)
  return `
    SELECT count(*) FROM (
      SELECT expirations FROM ${schema}.users WHERE latest_expiration > ${from} AND latest_expiration < ${until}
      UNION ALL
      SELECT expirations FROM ${schema}.users WHERE latest_expiration >= ${until} AND second_expiration > ${from}
    ) AS expiring, unnest(expirations) AS expiry
    WHERE expiry > ${from} AND expiry < ${until}`
}
