import { z } from 'zod'
import { isUserId, parseAddressHmac } from '#contracts/ids'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { emailStream, streamOwner } from '#services/foundation/stream-names'
import { table } from './table.ts'

const claimedRow = z.object({ stream: z.string() })
const ownedRow = z.object({ stream: z.string(), subject: z.string() })

/**
 * The subjects of a user's history: the user's id, and the HMACs of the addresses that the account
 * has or had.
 */
export async function subjectsOf(db: Queryable, userId: string): Promise<readonly string[]> {
  const claimed = await allRows(
    db,
    claimedRow,
    `SELECT DISTINCT stream FROM ${table} WHERE subject = $1 AND type = 'EmailClaimed'`,
    [userId],
  )
  return [userId, ...claimed.map(({ stream }) => streamOwner(stream))]
}

/**
 * The user of each subject: the user itself, or the last account that claimed the address. A
 * subject without a user has no entry.
 */
export async function usersOf(
  db: Queryable,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const users = new Map(subjects.filter(isUserId).map((userId) => [userId as string, userId]))
  const addresses = subjects.filter((subject) => !isUserId(subject))
  if (addresses.length === 0) return users
  const owned = await allRows(
    db,
    ownedRow,
    `SELECT DISTINCT ON (stream) stream, subject FROM ${table}
     WHERE stream = ANY ($1::text[]) AND type = 'EmailClaimed' ORDER BY stream, revision DESC`,
    [addresses.map((hmac) => emailStream(parseAddressHmac(hmac)))],
  )
  return new Map([
    ...users,
    ...owned.map(({ stream, subject }) => [streamOwner(stream), subject] as const),
  ])
}
