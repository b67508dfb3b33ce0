import { createHash, randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import type { Clock } from '#services/foundation/clock'
import type { Queryable } from '#services/foundation/queryable'
import type { SlowHash } from '#services/foundation/slow-hash'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import {
  deleteCode,
  deleteCodeOfOtherAddress,
  issuedOf,
  lockCode,
  readCode,
  useCode,
  writeCode,
  type CodeRow,
} from './sign-in-code-row.ts'
import {
  codeRules,
  decideSend,
  decideTry,
  type MailOfCode,
  type SendDecision,
  type TryOutcome,
} from './sign-in-code.ts'

/** A code and its request: what a repeat of the request completes. */
interface SentCode {
  /** Names the code. It signs in to nothing. */
  readonly codeId: string
  /** Call it after the request is recorded. */
  readonly complete: () => Promise<void>
}

type IssueResult =
  /**
   * The caller mails `code`, and calls `mailed`. If the mail fails, the caller calls `undo`, which
   * restores the previous code.
   */
  | (Extract<SendDecision, { kind: 'send' }> &
      SentCode & {
        readonly code: string
        readonly mailed: () => void
        readonly undo: () => Promise<void>
      })
  /** `unfinished`: the mail was sent, and an outage ended the request before it was recorded. */
  | (Extract<SendDecision, { kind: 'already-sent' }> & { readonly unfinished: SentCode | null })
  | Exclude<SendDecision, { kind: 'send' | 'already-sent' }>

type TryResult =
  | { readonly outcome: 'matches'; readonly addressHmac: string; readonly proof: CodeProof }
  | { readonly outcome: Exclude<TryOutcome, 'matches'>; readonly addressHmac: string | null }

/** The salt and the slow hash of a code, in hex. */
export interface CodeProof {
  readonly salt: string
  readonly hash: string
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
   * Counts the try before it compares the code. A try that matches does not count. The code stays
   * valid until `use`, so that a sign-in which an outage interrupts can be repeated.
   * @throws GateIsFull. The try is then not counted.
   */
  tryCode(userId: string, code: string, browser: string | null): Promise<TryResult>
  /**
   * Uses the code up, and resets the count of resends. `tx` stores the session. False if the code
   * was used or replaced meanwhile: of two concurrent sign-ins, one uses the code.
   */
  use(tx: Queryable, userId: string, proof: CodeProof): Promise<boolean>
  /** Whether the code is the one of `proof`. @throws GateIsFull */
  isCodeOf(code: string, proof: CodeProof): Promise<boolean>
  /** Deletes the code and resets the count of resends. */
  forget(userId: string): Promise<void>
  /** Deletes the code unless it was mailed to one of these addresses, which the account has. */
  forgetOtherAddresses(userId: string, remaining: readonly string[]): Promise<void>
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
  const processId = randomUUID()
  /** The codes of requests that are not complete, by salt. */
  const unfinished = new Map<string, { kind: 'sending' | 'mailed'; readonly at: number }>()

  const mailOf = ({ mailed_at, issued_by, salt }: CodeRow): MailOfCode => {
    if (mailed_at !== null) return 'sent'
    if (issued_by !== processId) return 'unknown'
    const known = unfinished.get(salt.toString('hex'))
    return known === undefined ? 'failed' : known.kind === 'mailed' ? 'sent' : 'sending'
  }

  return {
    async issue(userId, addressHmac, browser, network) {
      const decide = (row: CodeRow | null, now: number) =>
        decideSend(
          row && issuedOf(row, mailOf(row)),
          addressHmac,
          {
            isRequester: row?.requested_by === browser,
            isSameNetwork:
              row !== null && row.requested_from.equals(networkHash(network, row.salt)),
          },
          now,
        )
      // A request that sends nothing costs no hash.
      const present = await readCode(pool, userId)
      const early = decide(present, clock.now().getTime())
      if (early.kind !== 'send') return notSent(userId, early, present)
      const code = randomInt(10 ** codeRules.digits)
        .toString()
        .padStart(codeRules.digits, '0')
      const salt = randomBytes(16)
      const codeHash = await hashOf(code, salt)
      const codeId = salt.toString('hex')
      forgetOld(clock.now().getTime())
      unfinished.set(codeId, { kind: 'sending', at: clock.now().getTime() })

      return onConnectionOf(pool, durableTransaction, async (tx): Promise<IssueResult> => {
        // Two concurrent requests for an account without a row would both insert a row. The lock is
        // per account.
        await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
          `sign-in-code ${userId}`,
        ])
        const before = await lockCode(tx, userId)
        const now = clock.now().getTime()
        const decision = decide(before, now)
        if (decision.kind !== 'send') {
          unfinished.delete(codeId)
          return notSent(userId, decision, before)
        }
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
          window_started_at: new Date(decision.windowStartedAt),
          resends: decision.resends,
          mailed_at: null,
          issued_by: processId,
        })
        return {
          ...decision,
          ...sentCode(userId, salt),
          code,
          mailed: () => void unfinished.set(codeId, { kind: 'mailed', at: now }),
          undo: async () => {
            unfinished.delete(codeId)
            await restore(userId, salt, before)
          },
        }
      }).catch((error: unknown) => {
        // The row may be stored: the next request then sends another code.
        unfinished.delete(codeId)
        throw error
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
      const addressHmac = row.address_hmac
      if (!timingSafeEqual(hash, row.code_hash)) return { outcome: 'wrong', addressHmac }
      await change(userId, row, `${counter} = ${counter} - 1`)
      const proof = { salt: row.salt.toString('hex'), hash: hash.toString('hex') }
      return { outcome: 'matches', addressHmac, proof }
    },

    use: (tx, userId, { salt }) => useCode(tx, userId, Buffer.from(salt, 'hex')),

    async isCodeOf(code, { salt, hash }) {
      return timingSafeEqual(await hashOf(code, Buffer.from(salt, 'hex')), Buffer.from(hash, 'hex'))
    },

    forget: (userId) => deleteCode(pool, userId),
    forgetOtherAddresses: (userId, remaining) => deleteCodeOfOtherAddress(pool, userId, remaining),
  }

  function sentCode(userId: string, salt: Buffer): SentCode {
    const codeId = salt.toString('hex')
    return {
      codeId,
      async complete() {
        await pool.query(
          'UPDATE app.sign_in_code SET mailed_at = now() WHERE user_id = $1 AND salt = $2',
          [userId, salt],
        )
        unfinished.delete(codeId)
      },
    }
  }

  function notSent(
    userId: string,
    decision: Exclude<SendDecision, { kind: 'send' }>,
    row: CodeRow | null,
  ): IssueResult {
    if (decision.kind !== 'already-sent') return decision
    const isMailed = row !== null && unfinished.get(row.salt.toString('hex'))?.kind === 'mailed'
    return { ...decision, unfinished: isMailed ? sentCode(userId, row.salt) : null }
  }

  /** A request that nobody repeats stays unfinished. Its code expires. */
  function forgetOld(now: number): void {
    for (const [codeId, { at }] of unfinished)
      if (Math.abs(now - at) > codeRules.lifetimeMs) unfinished.delete(codeId)
  }

  /**
   * Replaces the code with this salt by the code before it. A newer code stays, and a used code
   * stays used: a mail server can refuse a mail late, and after it has delivered the mail.
   */
  function restore(userId: string, salt: Buffer, before: CodeRow | null): Promise<void> {
    return onConnectionOf(pool, durableTransaction, async (tx) => {
      const current = await lockCode(tx, userId)
      if (current === null || !current.salt.equals(salt)) return
      await (before === null ? deleteCode(tx, userId) : writeCode(tx, userId, before))
    })
  }

  /** Counts a try, if the code may still be tried. */
  function count(userId: string, browser: string | null) {
    return onConnectionOf(pool, durableTransaction, async (tx) => {
      const row = await lockCode(tx, userId)
      const isRequester = row !== null && row.requested_by === browser
      const decision = decideTry(
        row && issuedOf(row, mailOf(row)),
        isRequester,
        clock.now().getTime(),
      )
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

  /** Changes nothing if the code was used or replaced meanwhile. */
  function change(userId: string, { salt }: CodeRow, assignment: string): Promise<void> {
    return onConnectionOf(pool, durableTransaction, async (tx) => {
      await tx.query(`UPDATE app.sign_in_code SET ${assignment} WHERE user_id = $1 AND salt = $2`, [
        userId,
        salt,
      ])
    })
  }
}

/** No table of the product shows a person's network for longer than a limit's window. */
function networkHash(network: string, salt: Buffer): Buffer {
  return createHash('sha256').update(salt).update(network).digest()
}
