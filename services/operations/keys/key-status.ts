import { countByMasterKey } from '#services/event-store/encryption/key-table'
import { keyFingerprint } from '#services/foundation/key-fingerprint'
import type { Queryable } from '#services/foundation/queryable'
import { keysInUse } from '#services/keys/assert-known-keys'
import type { Config } from '#services/settings/config'
import { emailKeyInUse } from '#services/keys/email-key-in-use'
import { keyNames, type KeyName } from '#services/keys/key-fingerprints'

export interface KeyLine {
  /** The setting that has the key. Null: no setting has it. */
  readonly setting: string | null
  readonly fingerprint: string
  readonly isInUse: boolean
  /** The personal keys that the key wraps. Null for a key that wraps none. */
  readonly personalKeys: number | null
  /** An EMAIL_HMAC_KEY that still names addresses which a rotation has not moved. */
  readonly isBeingReplaced: boolean
}

type Keys = Pick<
  Config,
  | 'masterKey'
  | 'previousMasterKey'
  | 'emailHmacKey'
  | 'previousEmailHmacKey'
  | 'portalKey'
  | 'previousPortalKey'
  | 'auditKey'
>

/** The keys that are set, in use or needed. It has fingerprints and no key. */
export async function keyStatus(db: Queryable, keys: Keys): Promise<readonly KeyLine[]> {
  const inUse = await keysInUse(db)
  const wrapped = await countByMasterKey(db)
  const replaced = (await emailKeyInUse(db))?.former ?? null
  const settings: Readonly<Record<KeyName, readonly (readonly [string, Buffer | null])[]>> = {
    MASTER_KEY: [
      ['MASTER_KEY', keys.masterKey],
      ['MASTER_KEY_PREVIOUS', keys.previousMasterKey],
    ],
    EMAIL_HMAC_KEY: [
      ['EMAIL_HMAC_KEY', keys.emailHmacKey],
      ['EMAIL_HMAC_KEY_PREVIOUS', keys.previousEmailHmacKey],
    ],
    PORTAL_KEY: [
      ['PORTAL_KEY', keys.portalKey],
      ['PORTAL_KEY_PREVIOUS', keys.previousPortalKey],
    ],
    AUDIT_KEY: [['AUDIT_KEY', keys.auditKey]],
  }
  return keyNames.flatMap((name) => {
    const settingOf = new Map(
      settings[name].flatMap(([setting, key]) =>
        key === null ? [] : [[keyFingerprint(key), setting] as const],
      ),
    )
    const needed = neededOf(name)
    const known = inUse.get(name)
    const fingerprints = new Set([
      ...settingOf.keys(),
      ...(known === undefined ? [] : [known]),
      ...needed,
    ])
    return [...fingerprints].map((fingerprint) => ({
      setting: settingOf.get(fingerprint) ?? null,
      fingerprint,
      isInUse: fingerprint === known,
      personalKeys: name === 'MASTER_KEY' ? (wrapped.get(fingerprint) ?? 0) : null,
      isBeingReplaced: name === 'EMAIL_HMAC_KEY' && fingerprint === replaced,
    }))
  })

  function neededOf(name: KeyName): readonly string[] {
    if (name === 'MASTER_KEY') return [...wrapped.keys()]
    return name === 'EMAIL_HMAC_KEY' && replaced !== null ? [replaced] : []
  }
}
