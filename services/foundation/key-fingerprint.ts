import { createHmac } from 'node:crypto'

/** Shows whether a key is another key, in 16 hexadecimal digits. It does not reveal the key. */
export function keyFingerprint(key: Buffer): string {
  return createHmac('sha256', key).update('key fingerprint').digest('hex').slice(0, 16)
}
