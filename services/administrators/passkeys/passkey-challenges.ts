import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '#services/foundation/clock'
import { dateColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow } from '#services/foundation/rows'

/** How long a person has for the authenticator, in milliseconds. */
export const challengeMs = 5 * 60_000

/**
 * The challenges that browsers have to sign. A holder, which is the mark of a browser and what it
 * does, has one: a newer challenge replaces it. It is used once.
 */
export interface PasskeyChallenges {
  /** 32 random bytes, in base64url. */
  issue(holder: string): Promise<string>
  /** Null if the holder has none, or it has expired. */
  read(holder: string): Promise<string | null>
  /** False if the challenge was used or replaced meanwhile. `tx` stores what it was used for. */
  use(tx: Queryable, holder: string, challenge: string): Promise<boolean>
  forget(holder: string): Promise<void>
}

const challengeRow = z.object({ challenge: z.string(), expires_at: dateColumn })
const usedRow = z.object({ holder: z.string() })

export function createPasskeyChallenges(db: Queryable, clock: Clock): PasskeyChallenges {
  return {
    async issue(holder) {
      const challenge = randomBytes(32).toString('base64url')
      const now = clock.now().getTime()
      // Of browsers that did not answer.
      await db.query('DELETE FROM app.passkey_challenge WHERE expires_at < $1', [new Date(now)])
      await db.query(
        `INSERT INTO app.passkey_challenge (holder, challenge, expires_at) VALUES ($1, $2, $3)
         ON CONFLICT (holder) DO UPDATE SET challenge = excluded.challenge, expires_at = excluded.expires_at`,
        [holder, challenge, new Date(now + challengeMs)],
      )
      return challenge
    },

    async read(holder) {
      const found = await firstRow(
        db,
        challengeRow,
        'SELECT challenge, expires_at FROM app.passkey_challenge WHERE holder = $1',
        [holder],
      )
      if (found === undefined) return null
      const left = found.expires_at.getTime() - clock.now().getTime()
      // More than the whole time is left: the clock was set back.
      return left > 0 && left <= challengeMs ? found.challenge : null
    },

    async use(tx, holder, challenge) {
      const used = await allRows(
        tx,
        usedRow,
        'DELETE FROM app.passkey_challenge WHERE holder = $1 AND challenge = $2 RETURNING holder',
        [holder, challenge],
      )
      return used.length === 1
    },

    async forget(holder) {
      await db.query('DELETE FROM app.passkey_challenge WHERE holder = $1', [holder])
    },
  }
}
