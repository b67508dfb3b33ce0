import type { EventStore } from '../event-store.ts'
import { signHead, type SignedHead } from './signed-head.ts'
import { verifyLog, type LogProblem, type VerifyOptions } from './verify-log.ts'

export type SigningResult =
  /**
   * `heads` has one signed head for each stream. A head that was signed before at the same revision
   * is unchanged.
   */
  | { readonly kind: 'signed'; readonly events: number; readonly heads: readonly SignedHead[] }
  /** The log has problems, and nothing was signed. */
  | { readonly kind: 'refused'; readonly problems: readonly LogProblem[] }

/**
 * Verifies the whole log and signs the head of each stream. Writes nothing: the caller stores the
 * heads.
 */
export async function signHeads(
  store: EventStore,
  signedAt: string,
  options: VerifyOptions,
): Promise<SigningResult> {
  const { events, heads, problems } = await verifyLog(store, options)
  if (problems.length > 0) return { kind: 'refused', problems }
  const earlier = new Map(options.signedHeads.map((head) => [head.stream, head]))
  return {
    kind: 'signed',
    events,
    heads: [...heads].map(([stream, head]) => {
      const before = earlier.get(stream)
      return before?.revision === head.revision
        ? before
        : signHead(stream, head, signedAt, options.auditKey)
    }),
  }
}
