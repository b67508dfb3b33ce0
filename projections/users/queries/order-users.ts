import type { AdminUsersQuery } from '#contracts/admin'
import { schema } from './users-filter.ts'

type Sort = AdminUsersQuery['sort']
type Order = AdminUsersQuery['order']

const latest = 'expirations[1]'
const second = 'expirations[2]'

/** ORDER BY of a list, total and stable: it always ends in the id. Plans are counted as of `now`. */
export function orderBy(sort: Sort, order: Order, now: Date): string {
  switch (sort) {
    case 'created_at':
      return `created_at ${order}, user_id ${order}`
    case 'email':
      return `email ${order}, user_id ${order}`
    case 'blocked':
      return `blocked ${order}, created_at ${order}, user_id ${order}`
    case 'total_spent':
      return `spent_thousandths ${order}, user_id ${order}`
    case 'latest_expiration':
      return `${latest} ${order} NULLS LAST, user_id ${order}`
    case 'active_plans':
      return `(SELECT count(*) FROM unnest(expirations) AS expiry WHERE expiry > ${literal(now)}) ${order}, ${latest} DESC NULLS LAST, user_id DESC`
  }
}

/** A moment needs no escaping, and as a literal the planner knows how much of an index lies behind it. */
const literal = (at: Date): string => `timestamptz '${at.toISOString()}'`

export interface Ordering {
  readonly sort: Sort
  readonly order: Order
  /** Who is listed, as a condition. */
  readonly where: string
  readonly now: Date
}

interface Window {
  readonly limit: number
  readonly offset: number
}

/** SQL for the ids of one page's users, in order, where few match: they are all collected, then sorted. */
export function sortFew({ sort, order, where, now }: Ordering, { limit, offset }: Window): string {
  return `WITH few AS MATERIALIZED (SELECT user_id, email, blocked, created_at, spent_thousandths, expirations FROM ${schema}.users WHERE ${where})
    SELECT user_id FROM few ORDER BY ${orderBy(sort, order, now)} LIMIT ${limit} OFFSET ${offset}`
}

/**
 * SQL for the ids of one page's users, in order, where many match: an index is walked until the
 * page is full, whatever the size of the list.
 */
export function walk({ sort, order, where, now }: Ordering, { limit, offset }: Window): string {
  if (sort === 'active_plans') return walkByActivePlans(where, order, now, { limit, offset })
  return `SELECT user_id FROM ${schema}.users WHERE ${where} ORDER BY ${orderBy(sort, order, now)} LIMIT ${limit} OFFSET ${offset}`
}

/**
 * How many plans are active changes as time passes, without an event, so no stored number of them
 * can be right at `now`, and none can be indexed. But a row keeps its expirations, latest first,
 * and 'at least n plans are active' is 'the n-th expiration is after now': a range of an index.
 * So the list is four ranges, one after the other, each in the order of the latest expiration:
 * several active plans (a second live subscription is refused, so these are few), one, none any
 * more, and none ever.
 */
function walkByActivePlans(where: string, order: Order, now: Date, { limit, offset }: Window): string {
  const at = literal(now)
  const ranges = [
    `cardinality(expirations) > 1 AND ${second} > ${at}`,
    `${latest} > ${at} AND (${second} IS NULL OR ${second} <= ${at})`,
    `${latest} <= ${at}`,
    `${latest} IS NULL`,
  ]
  const firstOf = (range: string) =>
    `(SELECT user_id, expirations FROM ${schema}.users WHERE ${range} AND ${where}
      ORDER BY ${range === ranges[0] ? orderBy('active_plans', order, now) : `${latest} DESC NULLS LAST, user_id DESC`} LIMIT ${limit + offset})`
  return `SELECT user_id FROM (${ranges.map(firstOf).join('\nUNION ALL\n')}) AS ranges
    ORDER BY ${orderBy('active_plans', order, now)} LIMIT ${limit} OFFSET ${offset}`
}
