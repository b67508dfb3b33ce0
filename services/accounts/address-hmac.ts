import { createHmac } from 'node:crypto'
import { parseAddressHmac, type AddressHmac } from '#contracts/ids'

/**
 * Identifies an e-mail address without revealing it. `key` is EMAIL_HMAC_KEY, which a rotation of
 * MASTER_KEY does not change.
 */
export function addressHmac(email: string, key: Buffer): AddressHmac {
  return parseAddressHmac(createHmac('sha256', key).update(email).digest('hex'))
}
