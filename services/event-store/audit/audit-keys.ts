import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'

/** The key of the MACs of events, derived from AUDIT_KEY by HKDF-SHA-256 (RFC 5869). */
export function macKeyOf(auditKey: Buffer): KeyObject {
  return createSecretKey(derive(auditKey, 'billing: MAC of an event, v1'))
}

/**
 * The key of the HMACs that name stopped addresses, derived from AUDIT_KEY. A stop outlives its
 * address, so no rotation could compute another HMAC of it; AUDIT_KEY never changes.
 */
export function stopKeyOf(auditKey: Buffer): KeyObject {
  return createSecretKey(derive(auditKey, 'billing: HMAC of a stopped address, v1'))
}

/**
 * The key of the HMACs in return addresses of mails, derived from AUDIT_KEY. A mail can come back
 * days later, so the key never changes.
 */
export function returnKeyOf(auditKey: Buffer): KeyObject {
  return createSecretKey(derive(auditKey, 'billing: HMAC of a return address, v1'))
}

/** The key pair of seals. */
export interface SealKeys {
  readonly privateKey: KeyObject
  /** The public key, which anyone may have. */
  readonly publicKey: KeyObject
  /** The 32 bytes of the public key, in lower-case hex. */
  readonly publicKeyHex: string
  /** SHA-256 of these 32 bytes, in lower-case hex. */
  readonly fingerprint: string
}

/** The DER encoding of an Ed25519 private key before its 32 bytes of seed (RFC 8410, section 7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The Ed25519 key pair of seals. Its seed is derived from AUDIT_KEY by HKDF-SHA-256. */
export function sealKeysOf(auditKey: Buffer): SealKeys {
  const seed = derive(auditKey, 'billing: signature of a seal, v1')
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(privateKey)
  const bytes = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  return {
    privateKey,
    publicKey,
    publicKeyHex: bytes.toString('hex'),
    fingerprint: createHash('sha256').update(bytes).digest('hex'),
  }
}

function derive(auditKey: Buffer, label: string): Buffer {
  return Buffer.from(hkdfSync('sha256', auditKey, '', label, 32))
}
