import { lastReachableRow } from '#contracts/paging'
import type { Queryable } from '../../engine/queryable.ts'
import { Parameters } from '../../listing/parameters.ts'
import { usersBucket } from '../counters.ts'
import { matching, schema, type UsersFilter } from './users-filter.ts'

export interface Total {
  readonly total: number
  readonly totalIsExact: boolean
}

/** How many users a list has: exact without a search, from the sums; with one, exact up to the last row that pages reach. */
export async function countUsers(db: Queryable, query: UsersFilter): Promise<Total> {
  return query.search ? countFound(db, query) : { total: await sumOf(db, query), totalIsExact: true }
}

async function sumOf(db: Queryable, { status, userType }: UsersFilter): Promise<number> {
  const types = userType ? [userType] : [1, 2, 3, 4]
  const blocks = status === 'all' ? [true, false] : [status === 'blocked']
  const buckets = types.flatMap((type) => blocks.map((blocked) => usersBucket(type, blocked)))
  const { rows } = await db.query<{ total: string | null }>(
    `SELECT sum(value) AS total FROM ${schema}.counter WHERE name = 'users' AND bucket = ANY ($1)`, [buckets],
  )
  return Number(rows[0]?.total ?? 0)
}

async function countFound(db: Queryable, query: UsersFilter): Promise<Total> {
  const parameters = new Parameters()
  const { rows } = await db.query<{ found: string }>(
    `SELECT count(*) AS found FROM (SELECT 1 FROM ${schema}.users WHERE ${matching(query, parameters)} LIMIT ${lastReachableRow + 1}) AS capped`,
    parameters.values,
  )
  const found = Number(rows[0]?.found ?? 0)
  return { total: Math.min(found, lastReachableRow), totalIsExact: found <= lastReachableRow }
}
