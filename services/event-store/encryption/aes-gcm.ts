import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto'

const nonceBytes = 12
const tagBytes = 16

/** AES-256-GCM: nonce, ciphertext and tag in one. `context` is not in it, but must be the same to open it. */
export function encrypt(key: KeyObject, plaintext: Buffer, context: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(
    Buffer.from(context),
  )
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

/** @throws Error when it was sealed with another key or context, or changed since. */
export function decrypt(key: KeyObject, ciphertext: Buffer, context: string): Buffer {
  if (ciphertext.length < nonceBytes + tagBytes) throw new Error('the ciphertext is too short')
  const decipher = createDecipheriv('aes-256-gcm', key, ciphertext.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(context))
    .setAuthTag(ciphertext.subarray(-tagBytes))
  const plaintext = decipher.update(ciphertext.subarray(nonceBytes, -tagBytes))
  // GCM holds nothing back: this only compares the tag.
  decipher.final()
  return plaintext
}
