import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import type { Clock } from '#services/foundation/clock'
import type { SlowHash } from '#services/foundation/slow-hash'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import {
  deleteCode,
  deleteCodeOfAddress,
  issuedOf,
  lockCode,
  readCode,
  writeCode,
  type CodeRow,
} from './sign-in-code-row.ts'
import {
  codeRules,
  decideSend,
  decideTry,
  type SendDecision,
  type TryOutcome,
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

interface TryResult {
  readonly outcome: TryOutcome
  readonly addressHmac: string | null
}

/**
 * Stores one outstanding code per account, as a salted hash. A new code replaces the older code.
 * `browser` is the mark of the caller's browser, and `network` the caller's network.
 */
export interface SignInCodeStore {
  /** @throws GateIsFull */
  issue(userId: string, addressHmac: string, browser: string, network: string): Promise<IssueResult>
  /** Whether this browser requested the outstanding code. */
  isRequester(userId: string, browser: string | null): Promise<boolean>
  /**
   * Counts the try before it compares the code. An accepted code cannot be used again: of two
   * concurrent tries, one is accepted.
   * @throws GateIsFull. The try is then not counted.
   */
  tryCode(userId: string, code: string, browser: string | null): Promise<TryResult>
  /** Called at sign-in. Deletes the code and resets the count of resends. */
  forget(userId: string): Promise<void>
  /** Deletes the code if it was mailed to this address, which the account no longer has. */
  forgetAddress(userId: string, addressHmac: string): Promise<void>
}

/**
 * A code has only six digits: the slow hash delays an attacker who has a copy of the table. No
 * transaction is open while a hash waits for its turn.
 */
export function createSignInCodeStore(
  pool: pg.Pool,
  clock: Clock,
  slowHash: SlowHash,
): SignInCodeStore {
  const hashOf = (code: string, salt: Buffer) => slowHash(code, salt, 32)

  return {
    async issue(userId, addressHmac, browser, network) {
      const decide = (row: CodeRow | null, now: number) =>
        decideSend(
          row && issuedOf(row),
          addressHmac,
          {
            isRequester: row?.requested_by === browser,
            isSameNetwork:
              row !== null && row.requested_from.equals(networkHash(network, row.salt)),
          },
          now,
        )
      // A request that sends nothing costs no hash.
      const early = decide(await readCode(pool, userId), clock.now().getTime())
      if (early.kind !== 'send') return early
      const code = randomInt(10 ** codeRules.digits)
        .toString()
        .padStart(codeRules.digits, '0')
      const salt = randomBytes(16)
      const codeHash = await hashOf(code, salt)

      return onConnectionOf(pool, durableTransaction, async (tx) => {
        // Two concurrent requests for an account without a row would both insert a row. The lock is
        // per account.
        await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
          `sign-in-code ${userId}`,
        ])
        const before = await lockCode(tx, userId)
        const now = clock.now().getTime()
        const decision = decide(before, now)
        if (decision.kind !== 'send') return decision
        await writeCode(tx, userId, {
          address_hmac: addressHmac,
          salt,
          code_hash: codeHash,
          sent_at: new Date(now),
          expires_at: new Date(now + codeRules.lifetimeMs),
          requested_by: browser,
          requested_from: networkHash(network, salt),
          tries: 0,
          other_tries: 0,
          used_at: null,
          window_started_at: new Date(decision.windowStartedAt),
          resends: decision.resends,
        })
        return { ...decision, code, undo: () => restore(userId, salt, before) }
      })
    },

    async isRequester(userId, browser) {
      return browser !== null && (await readCode(pool, userId))?.requested_by === browser
    },

    async tryCode(userId, code, browser) {
      const counted = await count(userId, browser)
      if (counted.decision !== 'compare')
        return { outcome: counted.decision, addressHmac: counted.row?.address_hmac ?? null }
      const { row, counter } = counted
      const hash = await hashOf(code, row.salt).catch(async (error: unknown) => {
        await change(userId, row, `${counter} = ${counter} - 1`)
        throw error
      })
      const isMatch = timingSafeEqual(hash, row.code_hash)
      const isAccepted = isMatch && (await change(userId, row, 'used_at = now()'))
      return { outcome: isAccepted ? 'accepted' : 'wrong', addressHmac: row.address_hmac }
    },

    forget: (userId) => deleteCode(pool, userId),
    forgetAddress: (userId, addressHmac) => deleteCodeOfAddress(pool, userId, addressHmac),
  }

  /**
   * Replaces the code with this salt by the code before it. A newer code stays, and a used code
   * stays used: a mail server can refuse a mail late, and after it has delivered the mail.
   */
  function restore(userId: string, salt: Buffer, before: CodeRow | null): Promise<void> {
    return onConnectionOf(pool, durableTransaction, async (tx) => {
      const current = await lockCode(tx, userId)
      if (current === null || !current.salt.equals(salt) || current.used_at !== null) return
      await (before === null ? deleteCode(tx, userId) : writeCode(tx, userId, before))
    })
  }

  /** Counts a try, if the code may still be tried. */
  function count(userId: string, browser: string | null) {
    return onConnectionOf(pool, durableTransaction, async (tx) => {
      const row = await lockCode(tx, userId)
      const isRequester = row !== null && row.requested_by === browser
      const decision = decideTry(row && issuedOf(row), isRequester, clock.now().getTime())
      // The code stays expired, also if the clock is set back later.
      if (decision === 'expired')
        await tx.query(
          'UPDATE app.sign_in_code SET expires_at = to_timestamp(0) WHERE user_id = $1',
          [userId],
        )
      if (row === null || decision !== 'compare')
        return { decision: decision === 'compare' ? ('wrong' as const) : decision, row }
      const counter = isRequester ? 'tries' : 'other_tries'
      await tx.query(`UPDATE app.sign_in_code SET ${counter} = ${counter} + 1 WHERE user_id = $1`, [
        userId,
      ])
      return { decision, row, counter }
    })
  }

  /** False if the code was used or replaced meanwhile. */
  function change(userId: string, { salt }: CodeRow, assignment: string): Promise<boolean> {
    return onConnectionOf(pool, durableTransaction, async (tx) => {
      const { rowCount } = await tx.query(
        `UPDATE app.sign_in_code SET ${assignment} WHERE user_id = $1 AND salt = $2 AND used_at IS NULL`,
        [userId, salt],
      )
      return rowCount === 1
    })
  }
}

/** No table of the product shows a person's network for longer than a limit's window. */
function networkHash(network: string, salt: Buffer): Buffer {
  return createHash('sha256').update(salt).update(network).digest()
}
