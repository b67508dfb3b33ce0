import type pg from 'pg'
import { z } from 'zod'
import { bytesColumn, dateColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'

/** A row of app.sign_in_code. */
const codeRow = z.object({
  address_hmac: z.string(),
  /** Names the code, too. */
  salt: bytesColumn,
  code_hash: bytesColumn,
  sent_at: dateColumn,
  expires_at: dateColumn,
  requested_by: z.string(),
  was_marked: z.boolean(),
  requested_from: bytesColumn,
  turn: z.int(),
  tries: z.int(),
  other_tries: z.int(),
  /** Null until the mail was accepted and the request was recorded. */
  mailed_at: dateColumn.nullable(),
  /** The process that sends the mail. */
  issued_by: z.string(),
})
export type CodeRow = Readonly<z.infer<typeof codeRow>>

const columns = Object.keys(codeRow.shape)

export function readCodes(db: Queryable, userId: string): Promise<readonly CodeRow[]> {
  return allRows(db, codeRow, selectCodes, [userId])
}

/** Also keeps other callers of this function away from the account's codes until `tx` ends. */
export async function lockCodes(tx: pg.ClientBase, userId: string): Promise<readonly CodeRow[]> {
  // An account can have no row to lock.
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `sign-in-code ${userId}`,
  ])
  return readCodes(tx, userId)
}

const selectCodes = `SELECT ${columns.join(', ')} FROM app.sign_in_code WHERE user_id = $1`

export async function insertCode(db: Queryable, userId: string, row: CodeRow): Promise<void> {
  const values = Object.entries(row)
  await db.query(
    `INSERT INTO app.sign_in_code (user_id, ${values.map(([name]) => name).join(', ')})
     VALUES ($1, ${values.map((_, index) => `$${index + 2}`).join(', ')})`,
    [userId, ...values.map(([, value]) => value)],
  )
}

/** The account's codes count for an hour. Later a code is kept so that it is refused as expired. */
const keptDays = 1
/** So that no request deletes many rows. */
const maxDeleted = 50

export async function deleteOldCodes(db: Queryable, now: Date): Promise<void> {
  await db.query(
    `DELETE FROM app.sign_in_code WHERE (user_id, salt) IN (
       SELECT user_id, salt FROM app.sign_in_code WHERE sent_at < $1::timestamptz - make_interval(days => $2)
       LIMIT $3 FOR UPDATE SKIP LOCKED)`,
    [now, keptDays, maxDeleted],
  )
}

export async function deleteCodes(db: Queryable, userId: string): Promise<void> {
  await db.query('DELETE FROM app.sign_in_code WHERE user_id = $1', [userId])
}

/** Deletes one code. */
export async function deleteCode(db: Queryable, userId: string, salt: Buffer): Promise<void> {
  await db.query('DELETE FROM app.sign_in_code WHERE user_id = $1 AND salt = $2', [userId, salt])
}

/** Also deletes the older codes of the same requester. False if the code was used meanwhile. */
export async function useCode(db: Queryable, userId: string, salt: Buffer): Promise<boolean> {
  const [used] = await allRows(
    db,
    usedRow,
    'DELETE FROM app.sign_in_code WHERE user_id = $1 AND salt = $2 RETURNING requested_by',
    [userId, salt],
  )
  if (used === undefined) return false
  await db.query('DELETE FROM app.sign_in_code WHERE user_id = $1 AND requested_by = $2', [
    userId,
    used.requested_by,
  ])
  return true
}

const usedRow = z.object({ requested_by: z.string() })

export async function deleteCodesOfOtherAddresses(
  db: Queryable,
  userId: string,
  remaining: readonly string[],
): Promise<void> {
  await db.query('DELETE FROM app.sign_in_code WHERE user_id = $1 AND address_hmac <> ALL ($2)', [
    userId,
    remaining,
  ])
}

/** Replaces the HMAC of the address that codes were mailed to, after a change of the key. */
export async function replaceCodeAddress(
  db: Queryable,
  userId: string,
  former: string,
  latter: string,
): Promise<void> {
  await db.query(
    'UPDATE app.sign_in_code SET address_hmac = $3 WHERE user_id = $1 AND address_hmac = $2',
    [userId, former, latter],
  )
}
