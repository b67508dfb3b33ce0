import type { z } from 'zod'
import type { adminUsersResponse, AdminUsersQuery } from '#contracts/admin'
import { lastReachableRow } from '#contracts/paging'
import type { Queryable } from '#projections/engine/queryable'
import { offsetOf } from '#projections/listing/page-limit'
import { hasTrigram } from '#projections/listing/search-text'
import { toAdminUser, type ListedUser } from './admin-user.ts'
import { collectUsers, countUsers, walkUsers } from './find-users.ts'
import { schema } from './users-filter.ts'

export type AdminUsersPage = z.infer<typeof adminUsersResponse>

/**
 * One page of the administrator's users, as of `now`. `total` is exact without a search, and with
 * one up to the last row that pages reach. A page beyond that row (`isBeyondReach`) is the caller's
 * to refuse.
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

/** Among so few rows, reading each is faster than the trigram index, which knows nothing of the filter. */
const fewEnoughToRead = 25_000

/**
 * Few matches are collected and sorted, many are walked in order: how many there are decides it, so
 * that no search hangs on what the planner guesses about its rarity.
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

/** The users with these ids, in the order of the ids. */
async function readUsers(
  db: Queryable,
  ids: readonly string[],
  now: Date,
): Promise<AdminUsersPage['items']> {
  const { rows } = await db.query<ListedUser>(
    `SELECT * FROM ${schema}.users WHERE user_id = ANY ($1)`,
    [ids],
  )
  const byId = new Map(rows.map((row) => [row.user_id, toAdminUser(row, now)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
