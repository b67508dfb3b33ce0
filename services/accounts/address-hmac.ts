import { createHmac } from 'node:crypto'
import { parseAddressHmac, type AddressHmac } from '#contracts/ids'

/** Names an e-mail address without telling it. `key` is EMAIL_HMAC_KEY, which outlives a rotation of MASTER_KEY. */
export function addressHmac(email: string, key: Buffer): AddressHmac {
  return parseAddressHmac(createHmac('sha256', key).update(email).digest('hex'))
}
