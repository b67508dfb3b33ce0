import type { EventStore } from '../event-store.ts'
import { sealHead, type SealedHead } from './signed-head.ts'
import { verifyLog, type LogProblem, type VerifyOptions } from './verify-log.ts'

export type SealedLog =
  /** `heads` has one of every stream; those that were sealed before, at the same revision, as they were then. */
  | { readonly kind: 'sealed'; readonly events: number; readonly heads: readonly SealedHead[] }
  /** A log that is not as it was written is not attested: nothing was signed. */
  | { readonly kind: 'refused'; readonly problems: readonly LogProblem[] }

/** Verifies the whole log, and signs the head of each stream. Writes nothing: keep the heads. */
export async function sealLog(store: EventStore, sealedAt: string, options: VerifyOptions): Promise<SealedLog> {
  const { events, heads, problems } = await verifyLog(store, options)
  if (problems.length > 0) return { kind: 'refused', problems }
  const earlier = new Map(options.sealed.map((head) => [head.stream, head]))
  return {
    kind: 'sealed',
    events,
    heads: [...heads].map(([stream, head]) => {
      const before = earlier.get(stream)
      return before?.revision === head.revision ? before : sealHead(stream, head, sealedAt, options.auditKey)
    }),
  }
}
