import { keyFingerprint } from '#services/foundation/key-fingerprint'

/** The keys that the stored data depends on. */
export const keyNames = ['MASTER_KEY', 'EMAIL_HMAC_KEY', 'PORTAL_KEY', 'AUDIT_KEY'] as const
export type KeyName = (typeof keyNames)[number]

/** 32 bytes each. A previous key is null, or left out, unless the key is being changed. */
export interface ProductKeys {
  readonly masterKey: Buffer
  readonly previousMasterKey?: Buffer | null
  readonly emailHmacKey: Buffer
  readonly previousEmailHmacKey?: Buffer | null
  readonly portalKey: Buffer
  readonly previousPortalKey?: Buffer | null
  readonly auditKey: Buffer
}

/** Fingerprints show that a key is another key. They do not reveal the keys. */
export function fingerprintsOf({
  masterKey,
  emailHmacKey,
  portalKey,
  auditKey,
}: ProductKeys): Readonly<Record<KeyName, string>> {
  return {
    MASTER_KEY: keyFingerprint(masterKey),
    EMAIL_HMAC_KEY: keyFingerprint(emailHmacKey),
    PORTAL_KEY: keyFingerprint(portalKey),
    AUDIT_KEY: keyFingerprint(auditKey),
  }
}

/** The fingerprints of MASTER_KEY and, during a change, of MASTER_KEY_PREVIOUS. */
export function masterFingerprints({
  masterKey,
  previousMasterKey = null,
}: Pick<ProductKeys, 'masterKey' | 'previousMasterKey'>): readonly [string, string?] {
  const current = keyFingerprint(masterKey)
  return previousMasterKey === null ? [current] : [current, keyFingerprint(previousMasterKey)]
}

/** The fingerprints of EMAIL_HMAC_KEY and, during a change, of EMAIL_HMAC_KEY_PREVIOUS. */
export function emailFingerprints({
  emailHmacKey,
  previousEmailHmacKey = null,
}: ProductKeys): readonly [string, string?] {
  const current = keyFingerprint(emailHmacKey)
  return previousEmailHmacKey === null ? [current] : [current, keyFingerprint(previousEmailHmacKey)]
}

/** The fingerprints of PORTAL_KEY and, during a change, of PORTAL_KEY_PREVIOUS. */
export function portalFingerprints({
  portalKey,
  previousPortalKey = null,
}: Pick<ProductKeys, 'portalKey' | 'previousPortalKey'>): readonly [string, string?] {
  const current = keyFingerprint(portalKey)
  return previousPortalKey === null ? [current] : [current, keyFingerprint(previousPortalKey)]
}
