import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import type { Clock } from '#services/foundation/clock'
import type { Queryable } from '#services/foundation/queryable'
import type { SlowHash } from '#services/foundation/slow-hash'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import {
  deleteCode,
  deleteCodes,
  deleteCodesOfOtherAddresses,
  deleteOldCodes,
  insertCode,
  lockCodes,
  readCodes,
  useCode,
  type CodeRow,
} from './sign-in-code-row.ts'
import {
  codeRules,
  decideSend,
  decideTry,
  isAbandoned,
  isExpired,
  type IssuedCode,
  type MailOfCode,
  type SendDecision,
  type TriedAs,
  type TryOutcome,
} from './sign-in-code.ts'
import { createUnfinishedCodes, type SentCode } from './unfinished-codes.ts'

type IssueResult =
  /**
   * The caller mails `code`, and calls `mailed`. If the mail fails, the caller calls `undo`: the
   * previous code of the requester is valid again.
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

/** Who requests or enters a code. */
export interface CodeCaller {
  /** The mark of the caller's browser. Null if the browser had none when the request arrived. */
  readonly browser: string | null
  readonly network: string
}

/**
 * Stores the outstanding codes of accounts, as salted hashes: one per requester. The requester is a
 * browser, by its mark, or the network of a client without cookies. A new code replaces the older
 * code of the same requester.
 */
export interface SignInCodeStore {
  /**
   * `mark`: the mark that the browser has after the request.
   * @throws GateIsFull
   */
  issue(userId: string, addressHmac: string, mark: string, caller: CodeCaller): Promise<IssueResult>
  /** Whether this caller requested the code that its try would be compared with. */
  isRequester(userId: string, caller: CodeCaller): Promise<boolean>
  /**
   * Counts the try before it compares the code. A try that matches does not count. The code stays
   * valid until `use`, so that a sign-in which an outage interrupts can be repeated.
   * @throws GateIsFull. The try is then not counted.
   */
  tryCode(userId: string, code: string, caller: CodeCaller): Promise<TryResult>
  /**
   * Uses the code up, and resets the resends of its requester. `tx` stores the session. False if
   * the code was used or replaced meanwhile: of two concurrent sign-ins, one uses the code.
   */
  use(tx: Queryable, userId: string, proof: CodeProof): Promise<boolean>
  /** Whether the code is the one of `proof`. @throws GateIsFull */
  isCodeOf(code: string, proof: CodeProof): Promise<boolean>
  /** Deletes all codes of the account. */
  forget(userId: string): Promise<void>
  /** Deletes the codes that were not mailed to these addresses, which the account has. */
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
  const unfinished = createUnfinishedCodes(pool)
  const seenBy = (caller: CodeCaller) => (row: CodeRow) =>
    seenCode(row, caller, unfinished.mailOf(row))
  return {
    async issue(userId, addressHmac, mark, caller) {
      const seen = seenBy(caller)
      const decide = (rows: readonly CodeRow[], now: number) => {
        const abandoned = rows.filter((row) => isAbandoned(seen(row), now))
        const others = rows.filter((row) => !abandoned.includes(row))
        return { decision: decideSend(others.map(seen), addressHmac, now), abandoned }
      }
      // A request that sends nothing costs no hash.
      const { decision: early } = decide(await readCodes(pool, userId), clock.now().getTime())
      if (early.kind !== 'send') return notSent(userId, early)
      const code = randomInt(10 ** codeRules.digits)
        .toString()
        .padStart(codeRules.digits, '0')
      const salt = randomBytes(16)
      const codeHash = await hashOf(code, salt)
      const codeId = salt.toString('hex')
      unfinished.begin(codeId, clock.now().getTime())

      return onConnectionOf(pool, durableTransaction, async (tx): Promise<IssueResult> => {
        const before = await lockCodes(tx, userId)
        const now = clock.now().getTime()
        const { decision, abandoned } = decide(before, now)
        if (decision.kind !== 'send') {
          unfinished.end(codeId)
          return notSent(userId, decision)
        }
        await deleteOldCodes(tx, new Date(now))
        for (const row of abandoned) await deleteCode(tx, userId, row.salt)
        await insertCode(tx, userId, {
          address_hmac: addressHmac,
          salt,
          code_hash: codeHash,
          sent_at: new Date(now),
          expires_at: new Date(now + codeRules.lifetimeMs),
          requested_by: mark,
          was_marked: caller.browser !== null,
          requested_from: networkHash(caller.network, salt),
          turn: decision.turn,
          tries: 0,
          other_tries: 0,
          mailed_at: null,
          issued_by: unfinished.processId,
        })
        return {
          ...decision,
          ...unfinished.sentCode(userId, salt),
          code,
          mailed: () => unfinished.mailed(codeId, now),
          undo: async () => {
            unfinished.end(codeId)
            await onConnectionOf(pool, durableTransaction, (tx) => deleteCode(tx, userId, salt))
          },
        }
      }).catch((error: unknown) => {
        // The row may be stored: the next request then sends another code.
        unfinished.end(codeId)
        throw error
      })
    },

    async isRequester(userId, caller) {
      const rows = await readCodes(pool, userId)
      const decision = decideTry(rows.map(seenBy(caller)), clock.now().getTime())
      return rows.map(seenBy(caller)).some((each) => each.isOwn && each.codeId === decision.codeId)
    },

    async tryCode(userId, code, caller) {
      const counted = await countTry(pool, userId, seenBy(caller), clock)
      if (counted.kind !== 'compare')
        return { outcome: counted.kind, addressHmac: counted.row?.address_hmac ?? null }
      const { row, as } = counted
      const hash = await hashOf(code, row.salt).catch(async (error: unknown) => {
        await giveTryBack(pool, userId, row, as)
        throw error
      })
      const addressHmac = row.address_hmac
      if (!timingSafeEqual(hash, row.code_hash)) return { outcome: 'wrong', addressHmac }
      await giveTryBack(pool, userId, row, as)
      const proof = { salt: row.salt.toString('hex'), hash: hash.toString('hex') }
      return { outcome: 'matches', addressHmac, proof }
    },

    use: (tx, userId, { salt }) => useCode(tx, userId, Buffer.from(salt, 'hex')),

    async isCodeOf(code, { salt, hash }) {
      return timingSafeEqual(await hashOf(code, Buffer.from(salt, 'hex')), Buffer.from(hash, 'hex'))
    },

    forget: (userId) => deleteCodes(pool, userId),
    forgetOtherAddresses: (userId, remaining) =>
      deleteCodesOfOtherAddresses(pool, userId, remaining),
  }

  function notSent(userId: string, decision: Exclude<SendDecision, { kind: 'send' }>): IssueResult {
    if (decision.kind !== 'already-sent') return decision
    return { ...decision, unfinished: unfinished.mailedCode(userId, decision.codeId) }
  }
}

/** The code as the caller's request sees it. */
function seenCode(row: CodeRow, { browser, network }: CodeCaller, mail: MailOfCode): IssuedCode {
  const isSameNetwork = row.requested_from.equals(networkHash(network, row.salt))
  return {
    codeId: row.salt.toString('hex'),
    addressHmac: row.address_hmac,
    sentAt: row.sent_at.getTime(),
    expiresAt: row.expires_at.getTime(),
    tries: row.tries,
    otherTries: row.other_tries,
    mail,
    turn: row.turn,
    isOwn: browser === null ? !row.was_marked && isSameNetwork : row.requested_by === browser,
    isSameNetwork,
  }
}

function giveTryBack(pool: pg.Pool, userId: string, row: CodeRow, as: TriedAs): Promise<void> {
  return onConnectionOf(pool, durableTransaction, (tx) => changeTries(tx, userId, row, as, -1))
}

/** Counts a try, if the code may still be tried. */
function countTry(
  pool: pg.Pool,
  userId: string,
  seenBy: (row: CodeRow) => IssuedCode,
  clock: Clock,
) {
  return onConnectionOf(pool, durableTransaction, async (tx) => {
    const rows = await lockCodes(tx, userId)
    const seen = rows.map(seenBy)
    const now = clock.now().getTime()
    const decision = decideTry(seen, now)
    const row = rows.find(({ salt }) => salt.toString('hex') === decision.codeId) ?? null
    if (decision.kind === 'compare' && row !== null) {
      await changeTries(tx, userId, row, decision.as, 1)
      return { kind: 'compare', row, as: decision.as } as const
    }
    // An expired code stays expired, also if the clock is set back later.
    if (decision.kind === 'expired')
      await tx.query(
        'UPDATE app.sign_in_code SET expires_at = to_timestamp(0) WHERE user_id = $1 AND salt = ANY ($2)',
        [userId, rows.flatMap(({ salt }, n) => (isExpiredAt(seen[n], now) ? [salt] : []))],
      )
    return { kind: decision.kind === 'compare' ? 'wrong' : decision.kind, row } as const
  })
}

function isExpiredAt(issued: IssuedCode | undefined, now: number): boolean {
  return issued !== undefined && isExpired(issued, now)
}

/** Changes nothing if the code was used meanwhile. */
async function changeTries(
  db: Queryable,
  userId: string,
  { salt }: CodeRow,
  as: TriedAs,
  by: 1 | -1,
): Promise<void> {
  const counter = as === 'requester' ? 'tries' : 'other_tries'
  await db.query(
    `UPDATE app.sign_in_code SET ${counter} = ${counter} + $3 WHERE user_id = $1 AND salt = $2`,
    [userId, salt, by],
  )
}

/** No table of the product shows a person's network for longer than a limit's window. */
function networkHash(network: string, salt: Buffer): Buffer {
  return createHash('sha256').update(salt).update(network).digest()
}
