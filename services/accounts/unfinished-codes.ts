import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { codeRules, type MailOfCode } from './sign-in-code.ts'
import type { CodeRow } from './sign-in-code-row.ts'

/** A code and its request: what a repeat of the request completes. */
export interface SentCode {
  /** Names the code. It signs in to nothing. */
  readonly codeId: string
  /** Call it after the request is recorded. */
  readonly complete: () => Promise<void>
}

/** The codes of this process whose requests are not complete. */
export function createUnfinishedCodes(pool: pg.Pool) {
  const processId = randomUUID()
  /** The codes of requests that are not complete, by salt. */
  const unfinished = new Map<string, { kind: 'sending' | 'mailed'; readonly at: number }>()

  function mailOf({ mailed_at, issued_by, salt }: CodeRow): MailOfCode {
    if (mailed_at !== null) return 'sent'
    if (issued_by !== processId) return 'unknown'
    const known = unfinished.get(salt.toString('hex'))
    return known === undefined ? 'failed' : known.kind === 'mailed' ? 'sent' : 'sending'
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

  /** A request without a repetition stays unfinished. Its code expires. */
  function forgetOld(now: number): void {
    for (const [codeId, { at }] of unfinished)
      if (Math.abs(now - at) > codeRules.lifetimeMs) unfinished.delete(codeId)
  }

  return {
    /** Names this process in the rows of its codes. */
    processId,
    mailOf,
    sentCode,
    /** `now`: milliseconds. */
    begin(codeId: string, now: number): void {
      forgetOld(now)
      unfinished.set(codeId, { kind: 'sending', at: now })
    },
    mailed: (codeId: string, now: number) =>
      void unfinished.set(codeId, { kind: 'mailed', at: now }),
    end: (codeId: string) => void unfinished.delete(codeId),
    /** Null unless its mail was sent. */
    mailedCode: (userId: string, codeId: string): SentCode | null =>
      unfinished.get(codeId)?.kind === 'mailed'
        ? sentCode(userId, Buffer.from(codeId, 'hex'))
        : null,
  }
}
