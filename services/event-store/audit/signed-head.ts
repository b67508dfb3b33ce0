import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { instant } from '#contracts/instant'
import { canonicalJson } from './hash-chain.ts'
import type { Head } from './verify-chain.ts'

/** The head of a stream at the time of its signature (`billing events seal`). */
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

/** False if the head was changed or was signed with another AUDIT_KEY. */
export function isGenuine(head: SignedHead, auditKey: Buffer): boolean {
  const expected = signatureOf(head, auditKey)
  const given = Buffer.from(head.signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function signatureOf(
  { stream, revision, hash, signedAt }: Omit<SignedHead, 'signature'>,
  auditKey: Buffer,
): Buffer {
  // The prefix separates this signature from other uses of the same key.
  return createHmac('sha256', auditKey)
    .update(`signed head v1 ${canonicalJson({ stream, revision, hash, signedAt })}`)
    .digest()
}
