import { keyFingerprint } from '#services/foundation/key-fingerprint'
import type { Config } from './config.ts'

/** The keys that the stored data depends on. */
export const keyNames = ['MASTER_KEY', 'EMAIL_HMAC_KEY', 'AUDIT_KEY'] as const
export type KeyName = (typeof keyNames)[number]

export type ProductKeys = Pick<Config, 'masterKey' | 'emailHmacKey' | 'auditKey'> &
  Partial<Pick<Config, 'previousMasterKey' | 'previousEmailHmacKey'>>

/** Fingerprints show that a key is another key. They do not reveal the keys. */
export function fingerprintsOf({
  masterKey,
  emailHmacKey,
  auditKey,
}: ProductKeys): Readonly<Record<KeyName, string>> {
  return {
    MASTER_KEY: keyFingerprint(masterKey),
    EMAIL_HMAC_KEY: keyFingerprint(emailHmacKey),
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
