import { z } from 'zod'
import { keysOfOthers } from '#services/event-store/encryption/key-table'
import { formatCount } from '#services/foundation/format-count'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { keyFingerprint } from '#services/foundation/key-fingerprint'
import { unreachable } from '#services/foundation/decider'
import { StartupError } from '#services/foundation/startup-error'
import { emailKeyInUse } from './email-key-in-use.ts'
import {
  emailFingerprints,
  fingerprintsOf,
  keyNames,
  masterFingerprints,
  portalFingerprints,
  type KeyName,
  type ProductKeys,
} from './key-fingerprints.ts'

const fingerprintRow = z.object({ name: z.enum(keyNames), fingerprint: z.string() })

const consequences: Readonly<Record<KeyName, string>> = {
  MASTER_KEY: 'personal data cannot be read',
  EMAIL_HMAC_KEY:
    'no account is found by its address, and each customer would get a second account',
  PORTAL_KEY: 'every link to the client portal in a sent message would lead nowhere',
  AUDIT_KEY: 'every earlier event and signature would count as forged',
}

/**
 * Stores the fingerprints of the keys at the first start. Refuses other keys at every later start,
 * before anything is written with them.
 * @throws StartupError
 */
export async function assertKnownKeys(pool: Queryable, keys: ProductKeys): Promise<void> {
  const fingerprints = fingerprintsOf(keys)
  // A restored backup can have keys of another MASTER_KEY.
  if (!(await keysInUse(pool)).has('MASTER_KEY')) await refuseOtherWrapping(pool, keys)
  // One statement: two first starts with different keys never store a mixture.
  await pool.query(
    `INSERT INTO app.key_fingerprint (name, fingerprint) SELECT * FROM unnest($1::text[], $2::text[])
     ON CONFLICT (name) DO NOTHING`,
    [[...keyNames], keyNames.map((name) => fingerprints[name])],
  )
  // Waits for a rotation that is changing the key in use. The process holds its locks by now, so
  // either the rotation has seen it, or this look sees the new key.
  await pool.query('SELECT FROM app.key_fingerprint FOR SHARE')
  await refuseOtherKeys(pool, keys)
}

/**
 * For a command that writes with the keys. Accepts any key before the product's first start.
 * @throws StartupError
 */
export async function refuseOtherKeys(pool: Queryable, keys: ProductKeys): Promise<void> {
  const stored = await keysInUse(pool)
  const given = fingerprintsOf(keys)
  for (const name of [...keyNames].sort()) {
    const inUse = stored.get(name)
    const known = knownOf(name, keys)
    if (inUse === undefined || known.includes(inUse)) continue
    throw new StartupError(
      `${name} differs from the key that this database was created with, so ${consequences[name]}. ` +
        `The database needs the key of fingerprint ${inUse}, and ${name} has fingerprint ${given[name]}. ` +
        `Set the previous ${name}. The sandbox keeps its keys in DATA_DIR/sandbox-secrets.json.`,
    )
  }
  await refuseLostEmailKey(pool, keys)
  await refuseOtherWrapping(pool, keys)
}

function knownOf(name: KeyName, keys: ProductKeys): readonly (string | undefined)[] {
  switch (name) {
    case 'MASTER_KEY':
      return masterFingerprints(keys)
    case 'EMAIL_HMAC_KEY':
      return emailFingerprints(keys)
    case 'PORTAL_KEY':
      return portalFingerprints(keys)
    case 'AUDIT_KEY':
      return [keyFingerprint(keys.auditKey)]
    default:
      return unreachable(name)
  }
}

/** Until a rotation of EMAIL_HMAC_KEY ends, the former key names the streams that are left. */
async function refuseLostEmailKey(db: Queryable, keys: ProductKeys): Promise<void> {
  const former = (await emailKeyInUse(db))?.former ?? null
  const known = emailFingerprints(keys)
  if (former === null || known.includes(former)) return
  throw new StartupError(
    `A rotation of EMAIL_HMAC_KEY has not ended, so accounts are still found by the former key, of fingerprint ${former}; the keys that are set have fingerprint ${known.join(' and ')}. ` +
      "Set EMAIL_HMAC_KEY_PREVIOUS to the former key and run 'billing keys rotate --email'.",
  )
}

/** The fingerprints of the keys in use. Empty before the product's first start. */
export async function keysInUse(db: Queryable): Promise<ReadonlyMap<KeyName, string>> {
  const rows = await allRows(
    db,
    fingerprintRow,
    'SELECT name, fingerprint FROM app.key_fingerprint ORDER BY name',
  )
  return new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]))
}

/**
 * Why this process cannot read or make personal keys: MASTER_KEY was rotated after its start. Null
 * if it can.
 */
export async function missingMasterKey(db: Queryable, keys: ProductKeys): Promise<string | null> {
  const known = masterFingerprints(keys)
  const inUse = (await keysInUse(db)).get('MASTER_KEY')
  const needed =
    inUse === undefined || known.includes(inUse)
      ? (await keysOfOthers(db, known))?.wrappedBy
      : inUse
  return needed === undefined
    ? null
    : `This process does not have the MASTER_KEY of fingerprint ${needed}, which this database needs: MASTER_KEY was rotated after the start. Restart this process with both keys, in MASTER_KEY and MASTER_KEY_PREVIOUS.`
}

/**
 * Refuses keys that cannot unwrap every personal key: a rotation was not completed.
 * @throws StartupError
 */
export async function refuseOtherWrapping(db: Queryable, keys: ProductKeys): Promise<void> {
  const known = masterFingerprints(keys)
  const others = await keysOfOthers(db, known)
  if (others === null) return
  const { count, wrappedBy } = others
  throw new StartupError(
    `${formatCount(count)} personal ${count === 1 ? 'key is' : 'keys are'} still wrapped by another MASTER_KEY, of fingerprint ${wrappedBy}; the keys that are set have fingerprint ${known.join(' and ')}. ` +
      "Set MASTER_KEY_PREVIOUS to that key and run 'billing keys rotate'.",
  )
}
