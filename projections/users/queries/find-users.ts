import { z } from 'zod'
import type { AdminUsersQuery } from '#contracts/admin/users'
import { lastReachableRow } from '#contracts/paging'
import { Parameters } from '#projections/listing/parameters'
import type { Queryable } from '#services/foundation/queryable'
import { integerColumn } from '#services/foundation/columns'
import { allRows, oneRow } from '#services/foundation/rows'
import { usersBucket } from '../counters.ts'
import type { IndexRange } from '../sort-order.ts'
import { userOrders } from '../user-orders.ts'
import { matching, schema, type SearchBy, type UsersFilter } from './users-filter.ts'

const totalRow = z.object({ total: integerColumn.nullable() })
const foundRow = z.object({ found: integerColumn, ids: z.array(z.string()) })
const idRow = z.object({ user_id: z.string() })

export interface Window {
  readonly limit: number
  readonly offset: number
}

/** The number of users that match the filter, without a search. Reads only the stored sums. */
export async function countUsers(
  db: Queryable,
  { status, userType }: UsersFilter,
): Promise<number> {
  const types = userType ? [userType] : [1, 2, 3, 4]
  const blocks = status === 'all' ? [true, false] : [status === 'blocked']
  const buckets = types.flatMap((type) => blocks.map((blocked) => usersBucket(type, blocked)))
  const { total } = await oneRow(
    db,
    totalRow,
    `SELECT sum(value) AS total FROM ${schema}.counter WHERE name = 'users' AND bucket = ANY ($1)`,
    [buckets],
  )
  return total ?? 0
}

/**
 * Collects, counts and sorts all matching users, and returns the ids of one page. Returns null if
 * more than `lastReachableRow` users match. The query stops there, so its cost is bounded.
 */
export async function collectUsers(
  db: Queryable,
  query: AdminUsersQuery,
  now: Date,
  { limit, offset }: Window,
  searchBy: SearchBy,
): Promise<{ readonly found: number; readonly ids: readonly string[] } | null> {
  const parameters = new Parameters()
  const { columns, orderBy } = userOrders[query.sort]
  const { found, ids } = await oneRow(
    db,
    foundRow,
    `WITH found AS MATERIALIZED (
       SELECT user_id, ${columns.join(', ')}
       FROM ${schema}.users WHERE ${matching(query, parameters, searchBy)} LIMIT ${lastReachableRow + 1}
     )
     SELECT (SELECT count(*) FROM found) AS found,
            ARRAY(SELECT user_id FROM found ORDER BY ${orderBy(query.order, now)} LIMIT ${limit} OFFSET ${offset}) AS ids`,
    parameters.values,
  )
  return found > lastReachableRow ? null : { found, ids }
}

/** The ids of one page when many users match: scans the indexes in order until the page is full. */
export async function walkUsers(
  db: Queryable,
  query: AdminUsersQuery,
  now: Date,
  { limit, offset }: Window,
): Promise<readonly string[]> {
  const ranges = userOrders[query.sort].ranges(query, now)
  const [only] = ranges
  if (only && ranges.length === 1) return walkRange(db, query, only, { limit, offset })
  const ids: string[] = []
  for (const range of ranges) {
    const missing = limit + offset - ids.length
    if (missing > 0) ids.push(...(await walkRange(db, query, range, { limit: missing, offset: 0 })))
  }
  return ids.slice(offset)
}

async function walkRange(
  db: Queryable,
  query: UsersFilter,
  range: IndexRange,
  { limit, offset }: Window,
): Promise<string[]> {
  const parameters = new Parameters()
  const rows = await allRows(
    db,
    idRow,
    `SELECT user_id FROM ${schema}.users WHERE ${range.where} AND ${matching(query, parameters, 'row')}
     ORDER BY ${range.order} LIMIT ${limit} OFFSET ${offset}`,
    parameters.values,
  )
  return rows.map(({ user_id }) => user_id)
}
