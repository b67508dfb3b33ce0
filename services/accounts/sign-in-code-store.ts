import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type pg from 'pg'
import { z } from 'zod'
import type { Clock } from '#services/foundation/clock'
import { bytesColumn, dateColumn } from '#services/foundation/columns'
import { firstRow } from '#services/foundation/rows'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import {
  codeRules,
  decideSend,
  decideTry,
  type IssuedCode,
  type SendDecision,
  type TryDecision,
} from './sign-in-code.ts'

type IssueResult =
  /**
   * The caller mails `code`. If the mail fails, the caller calls `undo`, which restores the
   * previous code.
   */
  | (Extract<SendDecision, { kind: 'send' }> & {
      readonly code: string
      readonly undo: () => Promise<void>
    })
  | Exclude<SendDecision, { kind: 'send' }>

/**
 * Stores one outstanding code per account, as a salted hash. A new code replaces the older code.
 */
export interface SignInCodeStore {
  issue(userId: string, addressHmac: string): Promise<IssueResult>
  /**
   * Counts the try. An accepted code cannot be used again: of two concurrent tries, one is
   * accepted.
   */
  tryCode(
    userId: string,
    code: string,
  ): Promise<{ readonly outcome: TryDecision; readonly addressHmac: string | null }>
  /** Called at sign-in. Deletes the code and resets the count of resends. */
  forget(userId: string): Promise<void>
}

const codeRow = z.object({
  address_hmac: z.string(),
  salt: bytesColumn,
  code_hash: bytesColumn,
  sent_at: dateColumn,
  expires_at: dateColumn,
  tries: z.int(),
  used_at: dateColumn.nullable(),
  window_started_at: dateColumn,
  resends: z.int(),
})
type CodeRow = Readonly<z.infer<typeof codeRow>>

export function createSignInCodeStore(pool: pg.Pool, clock: Clock): SignInCodeStore {
  return {
    issue: (userId, addressHmac) =>
      onConnectionOf(pool, durableTransaction, async (tx) => {
        // Two concurrent requests for an account without a row would both insert a row. The lock is
        // per account.
        await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
          `sign-in-code ${userId}`,
        ])
        const before = await rowOf(tx, userId)
        const now = clock.now().getTime()
        const decision = decideSend(before && issuedOf(before), addressHmac, now)
        if (decision.kind !== 'send') return decision
        const code = randomInt(10 ** codeRules.digits)
          .toString()
          .padStart(codeRules.digits, '0')
        const salt = randomBytes(16)
        await write(tx, userId, {
          address_hmac: addressHmac,
          salt,
          code_hash: await hashOf(code, salt),
          sent_at: new Date(now),
          expires_at: new Date(now + codeRules.lifetimeMs),
          tries: 0,
          used_at: null,
          window_started_at: new Date(decision.windowStartedAt),
          resends: decision.resends,
        })
        const undo = async () => {
          if (before) await write(pool, userId, before)
          else await pool.query('DELETE FROM app.sign_in_code WHERE user_id = $1', [userId])
        }
        return { ...decision, code, undo }
      }),

    tryCode: (userId, code) =>
      onConnectionOf(pool, durableTransaction, async (tx) => {
        const row = await rowOf(tx, userId)
        const isMatch = row !== null && timingSafeEqual(await hashOf(code, row.salt), row.code_hash)
        const now = clock.now()
        const outcome = decideTry(row && issuedOf(row), isMatch, now.getTime())
        await tx.query(
          `UPDATE app.sign_in_code SET tries = tries + 1, used_at = CASE WHEN $2 THEN $3::timestamptz ELSE used_at END WHERE user_id = $1`,
          [userId, outcome === 'accepted', now],
        )
        return { outcome, addressHmac: row?.address_hmac ?? null }
      }),

    async forget(userId) {
      await pool.query('DELETE FROM app.sign_in_code WHERE user_id = $1', [userId])
    },
  }
}

const slowHash = promisify<string, Buffer, number, Buffer>(scrypt)

/** A code has only six digits: a slow hash delays an attacker who has a copy of the table. */
function hashOf(code: string, salt: Buffer): Promise<Buffer> {
  return slowHash(code, salt, 32)
}

async function rowOf(tx: pg.ClientBase, userId: string): Promise<CodeRow | null> {
  const row = await firstRow(
    tx,
    codeRow,
    `SELECT address_hmac, salt, code_hash, sent_at, expires_at, tries, used_at, window_started_at, resends
       FROM app.sign_in_code WHERE user_id = $1 FOR UPDATE`,
    [userId],
  )
  return row ?? null
}

function issuedOf(row: CodeRow): IssuedCode {
  return {
    addressHmac: row.address_hmac,
    sentAt: row.sent_at.getTime(),
    expiresAt: row.expires_at.getTime(),
    tries: row.tries,
    isUsed: row.used_at !== null,
    windowStartedAt: row.window_started_at.getTime(),
    resends: row.resends,
  }
}

async function write(db: pg.ClientBase | pg.Pool, userId: string, row: CodeRow): Promise<void> {
  await db.query(
    `INSERT INTO app.sign_in_code
       (user_id, address_hmac, salt, code_hash, sent_at, expires_at, tries, used_at, window_started_at, resends)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (user_id) DO UPDATE SET
       address_hmac = excluded.address_hmac, salt = excluded.salt, code_hash = excluded.code_hash,
       sent_at = excluded.sent_at, expires_at = excluded.expires_at, tries = excluded.tries, used_at = excluded.used_at,
       window_started_at = excluded.window_started_at, resends = excluded.resends`,
    [
      userId,
      row.address_hmac,
      row.salt,
      row.code_hash,
      row.sent_at,
      row.expires_at,
      row.tries,
      row.used_at,
      row.window_started_at,
      row.resends,
    ],
  )
}
