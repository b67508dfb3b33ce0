import { createHash, sign, verify } from 'node:crypto'
import { z } from 'zod'
import { instant } from '#contracts/instant'
import type { SealKeys } from './audit-keys.ts'
import { canonicalJson } from './canonical-json.ts'

const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/)

/** Heads of streams: how many, and the root of their Merkle tree. */
const headsOfSeal = z.strictObject({ count: z.int().min(0), root: sha256Hex })

/**
 * The signed state of the whole log at one moment. The head of a stream is its last event. The
 * leaves of both trees are `leafOf` of the heads, ordered by stream name (UTF-16 code units).
 */
export const seal = z.strictObject({
  format: z.literal('billing-seal'),
  version: z.literal(1),
  /** From 1 on, without a gap. */
  sequence: z.int().min(1),
  sealedAt: instant,
  /** The UUID of the log. A copy of the log has another UUID. */
  log: z.string(),
  /** The number of the log's first events that the seal covers. */
  events: z.int().min(0),
  /** The position of the last of them in this log; null for an empty log. */
  position: z.string().nullable(),
  /** The heads of all streams. */
  heads: headsOfSeal,
  /** The heads that changed since the previous seal. */
  changed: headsOfSeal,
  /** `hashOfSeal` of the previous seal; null in the first one. */
  previousSeal: sha256Hex.nullable(),
  /** The Ed25519 public key, 32 bytes in lower-case hex. */
  publicKey: sha256Hex,
  /** SHA-256 of these bytes. */
  fingerprint: sha256Hex,
  /** Ed25519 over the canonical JSON (RFC 8785) of all other members, in lower-case hex. */
  signature: z.string().regex(/^[0-9a-f]{128}$/),
})
export type Seal = Readonly<z.infer<typeof seal>>

/** The last event of a stream. */
export interface Head {
  readonly revision: number
  readonly hash: string
}

export interface StreamHead extends Head {
  readonly stream: string
}

/** A leaf of the Merkle trees: the canonical JSON of a head. */
export function leafOf({ stream, revision, hash }: StreamHead): string {
  return canonicalJson({ stream, revision, hash })
}

/** What a seal states: every member that the key does not add. */
export type SealedState = Omit<
  Seal,
  'format' | 'version' | 'publicKey' | 'fingerprint' | 'signature'
>

export function signSeal(state: SealedState, keys: SealKeys): Seal {
  const unsigned = {
    format: 'billing-seal',
    version: 1,
    ...state,
    publicKey: keys.publicKeyHex,
    fingerprint: keys.fingerprint,
  } as const
  const signature = sign(null, Buffer.from(canonicalJson(unsigned)), keys.privateKey)
  return { ...unsigned, signature: signature.toString('hex') }
}

/** False if the seal was changed, or was signed with another AUDIT_KEY. */
export function isGenuineSeal({ signature, ...unsigned }: Seal, keys: SealKeys): boolean {
  return verify(
    null,
    Buffer.from(canonicalJson(unsigned)),
    keys.publicKey,
    Buffer.from(signature, 'hex'),
  )
}

/** SHA-256 of the canonical JSON of a seal, its signature included. */
export function hashOfSeal(sealed: Seal): string {
  return createHash('sha256').update(canonicalJson(sealed)).digest('hex')
}
