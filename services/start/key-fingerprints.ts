import { createHmac } from 'node:crypto'
import type { Config } from './config.ts'

/** The keys that the stored data depends on. */
export const keyNames = ['MASTER_KEY', 'EMAIL_HMAC_KEY', 'AUDIT_KEY'] as const
export type KeyName = (typeof keyNames)[number]

export type ProductKeys = Pick<Config, 'masterKey' | 'emailHmacKey' | 'auditKey'>

/** Fingerprints show that a key is another key. They do not reveal the keys. */
export function fingerprintsOf({
  masterKey,
  emailHmacKey,
  auditKey,
}: ProductKeys): Readonly<Record<KeyName, string>> {
  return {
    MASTER_KEY: fingerprint(masterKey),
    EMAIL_HMAC_KEY: fingerprint(emailHmacKey),
    AUDIT_KEY: fingerprint(auditKey),
  }
}

function fingerprint(key: Buffer): string {
  return createHmac('sha256', key).update('key fingerprint').digest('hex').slice(0, 16)
}
