import { z } from 'zod'
import type { UserId } from '#contracts/ids'
import type { Queryable } from '#services/foundation/queryable'
import { firstRow } from '#services/foundation/rows'

/*
 * The mail that confirms an erasure is sent after the erasure, which destroys the key of every
 * other copy of the address. So the address waits in a table until the outcome of this mail.
 */

const farewellRow = z.object({ email: z.string() })

/** Keeps the address for the last mail of a person who is about to be erased. */
export async function keepFarewell(db: Queryable, userId: UserId, email: string): Promise<void> {
  await db.query(
    'INSERT INTO app.farewell (user_id, email) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [userId, email],
  )
}

/** Null if there was no verified address, or if the mail has an outcome. */
export async function findFarewell(db: Queryable, userId: UserId): Promise<string | null> {
  const row = await firstRow(db, farewellRow, 'SELECT email FROM app.farewell WHERE user_id = $1', [
    userId,
  ])
  return row?.email ?? null
}

/** Erases the last copy of the address. */
export async function forgetFarewell(db: Queryable, userId: UserId): Promise<void> {
  await db.query('DELETE FROM app.farewell WHERE user_id = $1', [userId])
}
