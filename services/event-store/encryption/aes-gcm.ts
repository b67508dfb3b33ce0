import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto'

const nonceBytes = 12
const tagBytes = 16

/**
 * AES-256-GCM. Returns nonce, ciphertext and tag. The result does not contain `context`; decryption
 * needs the same `context`.
 */
export function encrypt(key: KeyObject, plaintext: Buffer, context: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(
    Buffer.from(context),
  )
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

/** @throws Error if the key or the context differs, or the ciphertext was changed */
export function decrypt(key: KeyObject, ciphertext: Buffer, context: string): Buffer {
  if (ciphertext.length < nonceBytes + tagBytes) throw new Error('the ciphertext is too short')
  const decipher = createDecipheriv('aes-256-gcm', key, ciphertext.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(context))
    .setAuthTag(ciphertext.subarray(-tagBytes))
  const plaintext = decipher.update(ciphertext.subarray(nonceBytes, -tagBytes))
  // GCM has no last block: `final` only verifies the tag.
  decipher.final()
  return plaintext
}
