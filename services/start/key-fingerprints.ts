import { keyFingerprint } from '#services/foundation/key-fingerprint'
import type { Config } from './config.ts'

/** The keys that the stored data depends on. */
export const keyNames = ['MASTER_KEY', 'EMAIL_HMAC_KEY', 'PORTAL_KEY', 'AUDIT_KEY'] as const
export type KeyName = (typeof keyNames)[number]

export type ProductKeys = Pick<Config, 'masterKey' | 'emailHmacKey' | 'portalKey' | 'auditKey'> &
  Partial<Pick<Config, 'previousMasterKey' | 'previousEmailHmacKey' | 'previousPortalKey'>>

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
