import { z } from 'zod'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { StartupError } from '#services/foundation/startup-error'
import { fingerprintsOf, keyNames, type KeyName, type ProductKeys } from './key-fingerprints.ts'

const fingerprintRow = z.object({ name: z.enum(keyNames), fingerprint: z.string() })

const consequences: Readonly<Record<KeyName, string>> = {
  MASTER_KEY: 'personal data cannot be read',
  EMAIL_HMAC_KEY:
    'no account is found by its address, and each customer would get a second account',
  AUDIT_KEY: 'every earlier event and signature would count as forged',
}

/**
 * Stores the fingerprints of the keys at the first start. Refuses other keys at every later start,
 * before anything is written with them.
 * @throws StartupError
 */
export async function assertKnownKeys(pool: Queryable, keys: ProductKeys): Promise<void> {
  const fingerprints = fingerprintsOf(keys)
  // One statement: two first starts with different keys never store a mixture.
  await pool.query(
    `INSERT INTO app.key_fingerprint (name, fingerprint) SELECT * FROM unnest($1::text[], $2::text[])
     ON CONFLICT (name) DO NOTHING`,
    [[...keyNames], keyNames.map((name) => fingerprints[name])],
  )
  await refuseOtherKeys(pool, keys)
}

/**
 * For a command that writes with the keys. Accepts any key before the product's first start.
 * @throws StartupError
 */
export async function refuseOtherKeys(pool: Queryable, keys: ProductKeys): Promise<void> {
  const fingerprints = fingerprintsOf(keys)
  const stored = await allRows(
    pool,
    fingerprintRow,
    'SELECT name, fingerprint FROM app.key_fingerprint ORDER BY name',
  )
  const [other] = stored.filter(({ name, fingerprint }) => fingerprints[name] !== fingerprint)
  if (other === undefined) return
  const { name } = other
  throw new StartupError(
    `${name} differs from the key that this database was created with, so ${consequences[name]}. ` +
      `Set the previous ${name}. The sandbox keeps its keys in DATA_DIR/sandbox-secrets.json.`,
  )
}
