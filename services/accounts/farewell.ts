import { z } from 'zod'
import { parseUserId, type UserId } from '#contracts/ids'
import { decrypt, encrypt } from '#services/event-store/encryption/aes-gcm'
import { erasedSubject, type PersonalKeys } from '#services/event-store/encryption/personal-keys'
import { bytesColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow } from '#services/foundation/rows'
import { farewellPrefix, farewellSubject } from '#services/foundation/stream-names'

/*
 * The mail that confirms an erasure is sent after the erasure, which destroys the key of every
 * other copy of the address. So the address waits in a table until the outcome of this mail. It is
 * encrypted with a key of its own, and whoever destroys the key destroys every copy of the row.
 */

export interface FarewellParts {
  readonly pool: Queryable
  readonly keys: Pick<PersonalKeys, 'forWriting' | 'forReading' | 'erase'>
}

const farewellRow = z.object({ address: bytesColumn })

/**
 * Keeps the address for the last mail of a person who is about to be erased. Does nothing if that
 * mail has its outcome: the key is destroyed, and no other one is made.
 */
export async function keepFarewell(
  { pool, keys }: FarewellParts,
  userId: UserId,
  email: string,
): Promise<void> {
  const subject = farewellSubject(userId)
  const key = await keys.forWriting(subject)
  if (key === null) return
  // This process can have a key for 10 s more that another one destroyed: the lock waits for that.
  // An erasure that was interrupted can have kept an earlier address.
  await pool.query(
    `INSERT INTO app.farewell (user_id, address)
     SELECT $1, $2 FROM app.personal_key WHERE subject = $3 AND wrapped_key IS NOT NULL FOR SHARE
     ON CONFLICT (user_id) DO UPDATE SET address = excluded.address`,
    [userId, encrypt(key, Buffer.from(email), subject), subject],
  )
}

/** Null if there was no verified address, or if the mail has an outcome. */
export async function findFarewell(
  { pool, keys }: FarewellParts,
  userId: UserId,
): Promise<string | null> {
  const subject = farewellSubject(userId)
  const row = await firstRow(
    pool,
    farewellRow,
    'SELECT address FROM app.farewell WHERE user_id = $1',
    [userId],
  )
  if (row === undefined) return null
  const key = (await keys.forReading(new Set([subject]))).get(subject)
  return key === undefined || key === erasedSubject
    ? null
    : decrypt(key, row.address, subject).toString()
}

/** Destroys the key first: if a crash follows, the row is unreadable, and a repeat deletes it. */
export async function forgetFarewell({ pool, keys }: FarewellParts, userId: UserId): Promise<void> {
  await keys.erase(farewellSubject(userId))
  await pool.query('DELETE FROM app.farewell WHERE user_id = $1', [userId])
}

/** The mail is tried for 20 hours. An address that is older waits for a mail that never comes. */
const longestDays = 7

const lateRow = z.object({ userId: z.string() })

/**
 * Destroys the addresses whose mail has its outcome or is 7 days late: a crash can leave one, or a
 * copy of the database's files from before the outcome. Returns their number.
 */
export async function clearFarewells(parts: FarewellParts): Promise<number> {
  const rows = await allRows(
    parts.pool,
    lateRow,
    `SELECT f.user_id AS "userId" FROM app.farewell f
     WHERE f.created_at < now() - make_interval(days => $1) OR EXISTS (
       SELECT FROM app.outbox o
       WHERE o.reactor = 'mails' AND o.event_type = 'PersonalDataErased' AND o.stream = 'account-' || f.user_id
         AND (o.done_at IS NOT NULL OR o.dead_at IS NOT NULL))
     UNION
     SELECT substr(k.subject, length($2) + 1) FROM app.personal_key k
     WHERE starts_with(k.subject, $2) AND k.wrapped_key IS NOT NULL
       AND k.created_at < now() - make_interval(days => $1)`,
    [longestDays, farewellPrefix],
  )
  for (const { userId } of rows) await forgetFarewell(parts, parseUserId(userId))
  return rows.length
}
