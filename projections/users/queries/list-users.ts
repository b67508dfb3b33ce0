import type { z } from 'zod'
import type { adminUsersResponse, AdminUsersQuery } from '#contracts/admin'
import { lastReachableRow } from '#contracts/paging'
import type { Queryable } from '../../engine/queryable.ts'
import { offsetOf } from '../../listing/page-limit.ts'
import { Parameters } from '../../listing/parameters.ts'
import { toAdminUser, type ListedUser } from './admin-user.ts'
import { countUsers } from './count-users.ts'
import { sortFew, walk } from './order-users.ts'
import { matching, schema } from './users-filter.ts'

export type AdminUsersPage = z.infer<typeof adminUsersResponse>

/**
 * One page of the administrator's users, as of `now`. A page beyond the reach of lists
 * (`isBeyondReach`) is the caller's to refuse.
 */
export async function listUsers(db: Queryable, query: AdminUsersQuery, now: Date): Promise<AdminUsersPage> {
  const { total, totalIsExact } = await countUsers(db, query)
  const limit = Math.min(query.pageSize, lastReachableRow - offsetOf(query))
  const window = { limit, offset: offsetOf(query) }

  const parameters = new Parameters()
  const where = matching(query, parameters)
  // Few matches are collected and sorted; many are walked in order. Either way the work is bounded by
  // the rows that pages reach, not by the rows that there are, and not by what the planner guesses.
  const isFew = totalIsExact && total <= lastReachableRow
  const ids = isFew
    ? sortFew({ ...query, where, now }, window)
    : walk({ ...query, where, now }, window)
  const { rows } = await db.query<ListedUser>(
    `SELECT u.* FROM (SELECT user_id, row_number() OVER () AS place FROM (${ids}) AS page) AS wanted
     JOIN ${schema}.users u USING (user_id) ORDER BY place`,
    parameters.values,
  )
  return { items: rows.map((row) => toAdminUser(row, now)), total, totalIsExact, page: query.page, pageSize: query.pageSize }
}
