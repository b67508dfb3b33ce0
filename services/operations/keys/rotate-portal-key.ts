import type pg from 'pg'
import { StartupError } from '#services/foundation/startup-error'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import { keysInUse } from '#services/keys/assert-known-keys'
import { portalFingerprints, type ProductKeys } from '#services/keys/key-fingerprints'

/**
 * Puts PORTAL_KEY in use instead of PORTAL_KEY_PREVIOUS: from then on a start needs the new key.
 * Processes make links with PORTAL_KEY, and accept those of both, so nothing else changes.
 * @throws StartupError if neither key is in use
 */
export function rotatePortalKey(
  pool: pg.Pool,
  keys: Pick<ProductKeys, 'portalKey' | 'previousPortalKey'>,
): Promise<{ readonly kind: 'rotated' | 'current' }> {
  const [latter, former] = portalFingerprints(keys)
  return onConnectionOf(pool, durableTransaction, async (tx) => {
    await tx.query("SELECT 1 FROM app.key_fingerprint WHERE name = 'PORTAL_KEY' FOR UPDATE")
    const inUse = (await keysInUse(tx)).get('PORTAL_KEY')
    if (inUse === undefined || inUse === latter) return { kind: 'current' }
    if (inUse !== former)
      throw new StartupError(
        `The PORTAL_KEY in use has fingerprint ${inUse}, and neither PORTAL_KEY nor PORTAL_KEY_PREVIOUS has it. Set PORTAL_KEY_PREVIOUS to the key in use. Nothing was changed.`,
      )
    await tx.query("UPDATE app.key_fingerprint SET fingerprint = $1 WHERE name = 'PORTAL_KEY'", [
      latter,
    ])
    return { kind: 'rotated' }
  })
}
