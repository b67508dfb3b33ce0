import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { instant } from '#contracts/instant'
import { canonicalJson } from './hash-chain.ts'
import type { Head } from './verify-chain.ts'

/** A stream's head as it was when it was sealed. */
export const signedHead = z.object({
  stream: z.string(),
  revision: z.int().min(0),
  hash: z.string(),
  signedAt: instant,
  /** HMAC-SHA-256 with AUDIT_KEY over the other members, in lower-case hex. */
  signature: z.string(),
})
export type SignedHead = Readonly<z.infer<typeof signedHead>>

export function signHead(
  stream: string,
  { revision, hash }: Head,
  signedAt: string,
  auditKey: Buffer,
): SignedHead {
  const head = { stream, revision, hash, signedAt }
  return { ...head, signature: signatureOf(head, auditKey).toString('hex') }
}

/** False when it was changed, or signed with another AUDIT_KEY. */
export function isGenuine(head: SignedHead, auditKey: Buffer): boolean {
  const expected = signatureOf(head, auditKey)
  const given = Buffer.from(head.signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function signatureOf(
  { stream, revision, hash, signedAt }: Omit<SignedHead, 'signature'>,
  auditKey: Buffer,
): Buffer {
  // The name keeps apart what else may be signed with the same key one day.
  return createHmac('sha256', auditKey)
    .update(`signed head v1 ${canonicalJson({ stream, revision, hash, signedAt })}`)
    .digest()
}
