import type { z } from 'zod'
import type { adminUsersResponse, AdminUsersQuery } from '#contracts/admin/users'
import { lastReachableRow } from '#contracts/paging'
import { offsetOf } from '#projections/listing/offset-of'
import { hasTrigram } from '#projections/listing/search-text'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { listedUser, toAdminUser } from './admin-user.ts'
import { collectUsers, countUsers, walkUsers } from './find-users.ts'
import { schema } from './users-filter.ts'

export type AdminUsersPage = z.infer<typeof adminUsersResponse>

/**
 * One page of the administrator's users, as of `now`. Without a search, `total` is exact. With a
 * search, `total` is exact up to `lastReachableRow`. The caller refuses a page that starts after
 * this row.
 */
export async function listUsers(
  db: Queryable,
  query: AdminUsersQuery,
  now: Date,
): Promise<AdminUsersPage> {
  const { page, pageSize } = query
  const { total, totalIsExact, ids } = await findUsers(db, query, now)
  return { items: await readUsers(db, ids, now), total, totalIsExact, page, pageSize }
}

/**
 * Up to this number of rows, reading each row is faster than the trigram index, which ignores the
 * filter.
 */
const fewEnoughToRead = 25_000

/**
 * Collects and sorts few matches; scans an index in order for many. The counted number of matches
 * decides, not the planner's estimate.
 */
async function findUsers(
  db: Queryable,
  query: AdminUsersQuery,
  now: Date,
): Promise<{ total: number; totalIsExact: boolean; ids: readonly string[] }> {
  const offset = offsetOf(query)
  const window = { offset, limit: Math.min(query.pageSize, lastReachableRow - offset) }
  const filtered = await countUsers(db, query)
  if (query.search || filtered <= lastReachableRow) {
    const searchBy = hasTrigram(query.search) && filtered > fewEnoughToRead ? 'index' : 'row'
    const few = await collectUsers(db, query, now, window, searchBy)
    if (few) return { total: few.found, totalIsExact: true, ids: few.ids }
  }
  const ids = await walkUsers(db, query, now, window)
  return query.search
    ? { total: lastReachableRow, totalIsExact: false, ids }
    : { total: filtered, totalIsExact: true, ids }
}

/** The users with these ids, in the order of `ids`. */
async function readUsers(
  db: Queryable,
  ids: readonly string[],
  now: Date,
): Promise<AdminUsersPage['items']> {
  const rows = await allRows(
    db,
    listedUser,
    `SELECT * FROM ${schema}.users WHERE user_id = ANY ($1)`,
    [ids],
  )
  const byId = new Map(rows.map((row) => [row.user_id, toAdminUser(row, now)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
