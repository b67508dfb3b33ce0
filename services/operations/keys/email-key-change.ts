import type pg from 'pg'
import { z } from 'zod'
import { keyFingerprint } from '#services/foundation/key-fingerprint'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { StartupError } from '#services/foundation/startup-error'
import { emailKeyInUse } from '#services/keys/email-key-in-use'
import { prepared, refuseUnprepared, userLock } from '#services/keys/key-users'

export interface EmailKeyPair {
  /** EMAIL_HMAC_KEY */
  readonly to: Buffer
  /** EMAIL_HMAC_KEY_PREVIOUS. Null if it is not set. */
  readonly from: Buffer | null
}

export interface EmailKeyChange {
  readonly from: Buffer
  /** Whether an earlier run began the change. */
  readonly hasBegun: boolean
}

/**
 * The change that these keys request. Null: nothing is to be changed. Changes nothing itself.
 * @throws StartupError if a key is wrong or lost, was in use before, or a process of the product
 * does not have it
 */
export async function plannedEmailKeyChange(
  db: Queryable,
  { to, from }: EmailKeyPair,
): Promise<EmailKeyChange | null> {
  const row = await emailKeyInUse(db)
  const [latter, former] = [keyFingerprint(to), from && keyFingerprint(from)]
  if (row === null || (row.former === null && row.inUse === latter)) return null
  const given = `EMAIL_HMAC_KEY has fingerprint ${latter} and EMAIL_HMAC_KEY_PREVIOUS ${former === null ? 'is not set' : `has fingerprint ${former}`}`
  if (row.former !== null) {
    if (from !== null && row.inUse === latter && row.former === former)
      return { from, hasBegun: true }
    const correction =
      row.inUse === former && row.former === latter
        ? 'Exchange the two values.'
        : 'Set EMAIL_HMAC_KEY_PREVIOUS to the former and EMAIL_HMAC_KEY to the latter of these two keys.'
    throw new StartupError(
      `A rotation from the EMAIL_HMAC_KEY of fingerprint ${row.former} to that of fingerprint ${row.inUse} has not ended, and ${given}. ${correction} Nothing was changed.`,
    )
  }
  if (from === null || row.inUse !== former)
    throw new StartupError(
      `The EMAIL_HMAC_KEY in use has fingerprint ${row.inUse}, and ${given}. Set EMAIL_HMAC_KEY_PREVIOUS to the key in use. Nothing was changed.`,
    )
  await refuseUsedKey(db, latter)
  await refuseUnprepared(db, {
    name: 'EMAIL_HMAC_KEY',
    latter,
    users: userLock(former),
    prepared: prepared(former, latter),
  })
  return { from, hasBegun: false }
}

/**
 * Makes EMAIL_HMAC_KEY the key in use, and records the former key until `endEmailKeyChange`.
 * Returns the former key, also if an earlier run began the change. Null: nothing is to be changed.
 * @throws StartupError as `plannedEmailKeyChange`, before the first change
 */
export async function beginEmailKeyChange(
  tx: pg.PoolClient,
  keys: EmailKeyPair,
): Promise<Buffer | null> {
  await tx.query("SELECT 1 FROM app.key_fingerprint WHERE name = 'EMAIL_HMAC_KEY' FOR UPDATE")
  const change = await plannedEmailKeyChange(tx, keys)
  if (change === null) return null
  if (change.hasBegun) return change.from
  await tx.query('INSERT INTO app.email_key_change (former) VALUES ($1)', [
    keyFingerprint(change.from),
  ])
  await tx.query("UPDATE app.key_fingerprint SET fingerprint = $1 WHERE name = 'EMAIL_HMAC_KEY'", [
    keyFingerprint(keys.to),
  ])
  return change.from
}

/** From now on the former key is not needed. */
export async function endEmailKeyChange(tx: pg.PoolClient, former: Buffer): Promise<void> {
  await tx.query(
    'UPDATE app.email_key_change SET ended_at = now() WHERE former = $1 AND ended_at IS NULL',
    [keyFingerprint(former)],
  )
}

/** The streams under a key that was in use before have ended. */
async function refuseUsedKey(db: Queryable, latter: string): Promise<void> {
  const used = await allRows(
    db,
    z.object({ former: z.string() }),
    'SELECT former FROM app.email_key_change WHERE former = $1',
    [latter],
  )
  if (used.length > 0)
    throw new StartupError(
      `The EMAIL_HMAC_KEY of fingerprint ${latter} was in use before and cannot be used again. Set EMAIL_HMAC_KEY to a new key: openssl rand -hex 32. Nothing was changed.`,
    )
}
