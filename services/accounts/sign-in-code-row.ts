import type pg from 'pg'
import { z } from 'zod'
import { bytesColumn, dateColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow } from '#services/foundation/rows'
import type { IssuedCode, MailOfCode } from './sign-in-code.ts'

/** A row of app.sign_in_code. */
const codeRow = z.object({
  address_hmac: z.string(),
  salt: bytesColumn,
  code_hash: bytesColumn,
  sent_at: dateColumn,
  expires_at: dateColumn,
  requested_by: z.string(),
  requested_from: bytesColumn,
  tries: z.int(),
  other_tries: z.int(),
  window_started_at: dateColumn,
  resends: z.int(),
  /** Null until the mail was accepted and the request was recorded. */
  mailed_at: dateColumn.nullable(),
  /** The process that sends the mail. Null for a code of a former release. */
  issued_by: z.string().nullable(),
})
export type CodeRow = Readonly<z.infer<typeof codeRow>>

const columns = Object.keys(codeRow.shape)

/** Null without an outstanding code. */
export async function readCode(db: Queryable, userId: string): Promise<CodeRow | null> {
  return (await firstRow(db, codeRow, selectCode, [userId])) ?? null
}

/** Also keeps other transactions from changing the row until `tx` ends. */
export async function lockCode(tx: pg.ClientBase, userId: string): Promise<CodeRow | null> {
  return (await firstRow(tx, codeRow, `${selectCode} FOR UPDATE`, [userId])) ?? null
}

const selectCode = `SELECT ${columns.join(', ')} FROM app.sign_in_code WHERE user_id = $1`

/** Replaces the account's code. */
export async function writeCode(db: Queryable, userId: string, row: CodeRow): Promise<void> {
  const values = Object.entries(row)
  const names = values.map(([name]) => name)
  await db.query(
    `INSERT INTO app.sign_in_code (user_id, ${names.join(', ')})
     VALUES ($1, ${names.map((_, index) => `$${index + 2}`).join(', ')})
     ON CONFLICT (user_id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    [userId, ...values.map(([, value]) => value)],
  )
}

export async function deleteCode(db: Queryable, userId: string): Promise<void> {
  await db.query('DELETE FROM app.sign_in_code WHERE user_id = $1', [userId])
}

/** False if the code was used or replaced meanwhile. */
export async function useCode(db: Queryable, userId: string, salt: Buffer): Promise<boolean> {
  const used = await allRows(
    db,
    userRow,
    'DELETE FROM app.sign_in_code WHERE user_id = $1 AND salt = $2 RETURNING user_id',
    [userId, salt],
  )
  return used.length === 1
}

const userRow = z.object({ user_id: z.string() })

export async function deleteCodeOfOtherAddress(
  db: Queryable,
  userId: string,
  remaining: readonly string[],
): Promise<void> {
  await db.query('DELETE FROM app.sign_in_code WHERE user_id = $1 AND address_hmac <> ALL ($2)', [
    userId,
    remaining,
  ])
}

/** Replaces the HMAC of the address that the code was mailed to, after a change of the key. */
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

export function issuedOf(row: CodeRow, mail: MailOfCode): IssuedCode {
  return {
    addressHmac: row.address_hmac,
    sentAt: row.sent_at.getTime(),
    expiresAt: row.expires_at.getTime(),
    tries: row.tries,
    otherTries: row.other_tries,
    mail,
    windowStartedAt: row.window_started_at.getTime(),
    resends: row.resends,
  }
}
