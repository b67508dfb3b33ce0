import { z } from 'zod'
import { leaseNames } from '#services/foundation/application-names'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { oneRow } from '#services/foundation/rows'

/*
 * Each process that claims addresses under a key holds a shared advisory lock with the name of the
 * key, and one with the names of both its keys. The server releases them when the process ends.
 */

/** The lock of all processes that claim addresses under the key of this fingerprint. */
export const userLock = (inUse: string): string => `${leaseNames.emailKey} ${inUse}`
/** The lock of those among them that also have the other key. */
export const prepared = (inUse: string, other: string): string =>
  `${leaseNames.emailKey} ${inUse} and ${other}`

const countRow = z.object({ count: integerColumn })

/** The number of processes that hold a shared lock. */
export async function countHolders(db: Queryable, lock: string): Promise<number> {
  const { count } = await oneRow(
    db,
    countRow,
    `SELECT count(*) FROM pg_locks
     WHERE locktype = 'advisory' AND granted AND mode = 'ShareLock' AND objsubid = 1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND (classid::bigint << 32 | objid::bigint) = hashtextextended($1, 0)`,
    [lock],
  )
  return count
}
