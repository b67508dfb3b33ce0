import { grantedLocks } from '#services/postgres/granted-locks'
import { z } from 'zod'
import { leaseNames } from '#services/foundation/application-names'
import { integerColumn } from '#services/foundation/columns'
import { formatCount } from '#services/foundation/format-count'
import type { Queryable } from '#services/foundation/queryable'
import { oneRow } from '#services/foundation/rows'
import { StartupError } from '#services/foundation/startup-error'
import type { KeyName } from './key-fingerprints.ts'

/*
 * Each process of the product holds shared advisory locks with the names of its keys, from before
 * it reads which keys are in use. The server releases them when the process ends. So a rotation
 * knows which processes would be cut off.
 */

/** The lock of all processes that claim addresses under the EMAIL_HMAC_KEY of this fingerprint. */
export const userLock = (inUse: string): string => `e-mail key ${inUse}`
/** The lock of those among them that also have the other key. */
export const prepared = (inUse: string, other: string): string => `e-mail key ${inUse} and ${other}`

/** The lock of all processes: each of them reads personal keys. */
export const masterKeyUsers = leaseNames.keys
/** The lock of those among them that have the MASTER_KEY of this fingerprint. */
export const hasMasterKey = (fingerprint: string): string => `master key ${fingerprint}`

const countRow = z.object({ count: integerColumn })

/** The number of processes that hold a shared lock. */
export async function countHolders(db: Queryable, lock: string): Promise<number> {
  const { count } = await oneRow(
    db,
    countRow,
    `SELECT count(*) FROM pg_locks WHERE mode = 'ShareLock' AND ${grantedLocks('$1')}`,
    [lock],
  )
  return count
}

/**
 * Refuses to put a key in use while processes run that do not have it.
 * @throws StartupError
 */
export async function refuseUnprepared(
  db: Queryable,
  key: {
    readonly name: KeyName
    /** The fingerprint of the key that is to be in use. */
    readonly latter: string
    /** The lock of all processes that need the key, and of those that have it. */
    readonly users: string
    readonly prepared: string
  },
): Promise<void> {
  const users = await countHolders(db, key.users)
  const unprepared = users - (await countHolders(db, key.prepared))
  if (unprepared <= 0) return
  throw new StartupError(
    `${formatCount(unprepared)} of ${formatCount(users)} running processes ${unprepared === 1 ? 'does' : 'do'} not have the new ${key.name} of fingerprint ${key.latter}. Restart every process with both keys, in ${key.name} and ${key.name}_PREVIOUS, then run the command again. Nothing was changed.`,
  )
}
