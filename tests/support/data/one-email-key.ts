import { fixedEmailKeys, type EmailKeys } from '#services/accounts/email-keys'

/** A single EMAIL_HMAC_KEY that is not changed during the test. */
export function oneEmailKey(inUse: Buffer): EmailKeys {
  return fixedEmailKeys({ kind: 'settled', inUse })
}
