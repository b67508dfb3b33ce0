import type { EventStore } from '../event-store.ts'
import { isGenuine, type SignedHead } from './signed-head.ts'
import { explainBreak, walkChains, type ChainProblem, type Head } from './verify-chain.ts'

/** A problem of a stream, found by its hash chain or by its signed heads. */
export type LogProblem =
  | ChainProblem
  | (Omit<ChainProblem, 'kind'> & { readonly kind: 'truncated' | 'rewritten' | 'forged-signature' })

export interface VerifiedLog {
  readonly events: number
  /** The last event of every stream. */
  readonly heads: ReadonlyMap<string, Head>
  /** At most one problem for each stream: the first one. Ordered by stream name. */
  readonly problems: readonly LogProblem[]
}

export interface VerifyOptions {
  /**
   * The caller reads the signed heads before the log, so that the log has every event that they
   * cover.
   */
  readonly signedHeads: readonly SignedHead[]
  readonly auditKey: Buffer
  readonly onEvents?: (count: number) => void
}

/**
 * Reads the whole log and checks three rules:
 * - The revisions of each stream start at 0 and have no gap.
 * - Each event has the hash of its predecessor.
 * - The log has every signed head.
 *
 * Concurrent appends do not disturb the check.
 */
export async function verifyLog(
  store: EventStore,
  { signedHeads, auditKey, onEvents = () => undefined }: VerifyOptions,
): Promise<VerifiedLog> {
  const walk = walkChains()
  const signedByStream = new Map<string, SignedHead[]>()
  for (const head of signedHeads)
    signedByStream.set(head.stream, [...(signedByStream.get(head.stream) ?? []), head])
  /** The signed heads that were not found in the log so far, by stream. */
  const missing = new Map([...signedByStream].map(([stream, heads]) => [stream, new Set(heads)]))

  let events = 0
  for await (const page of store.readAll(null)) {
    for (const event of page) {
      const hash = walk.add(event)
      for (const head of signedByStream.get(event.stream) ?? []) {
        if (head.revision === event.revision && head.hash === hash)
          missing.get(event.stream)?.delete(head)
      }
    }
    events += page.length
    onEvents(page.length)
  }

  const problems = new Map<string, LogProblem>()
  for (const stream of walk.broken)
    problems.set(stream, explainBreak(await store.readStream(stream)) ?? moved(stream))
  for (const [stream, heads] of signedByStream) {
    const problem = signedHeadProblem(
      heads,
      missing.get(stream) ?? new Set(),
      walk.heads.get(stream),
      auditKey,
    )
    const known = problems.get(stream)
    if (problem !== null && (known === undefined || problem.revision < known.revision))
      problems.set(stream, problem)
  }
  return {
    events,
    heads: walk.heads,
    problems: [...problems.values()].toSorted((a, b) => (a.stream < b.stream ? -1 : 1)),
  }
}

/** The chain holds in revision order, but not in position order. */
function moved(stream: string): LogProblem {
  return {
    stream,
    kind: 'moved',
    revision: 0,
    eventId: null,
    text: 'The position order of the events differs from their revision order: positions were changed.',
  }
}

/** `heads` are ordered by revision. */
function signedHeadProblem(
  heads: readonly SignedHead[],
  missing: ReadonlySet<SignedHead>,
  head: Head | undefined,
  auditKey: Buffer,
): LogProblem | null {
  let attested = -1
  for (const signedHead of heads) {
    const { stream, revision, signedAt } = signedHead
    const common = { stream, eventId: null }
    if (!isGenuine(signedHead, auditKey)) {
      const text = `The signed head of revision ${revision} (${signedAt}) is not signed with this AUDIT_KEY: the signed head or AUDIT_KEY was changed.`
      return { ...common, kind: 'forged-signature', revision, text }
    }
    if (head === undefined || head.revision < revision) {
      const first = head === undefined ? 0 : head.revision + 1
      const where =
        first === revision
          ? `The event at revision ${revision} was`
          : `The events at revisions ${first} to ${revision} were`
      return {
        ...common,
        kind: 'truncated',
        revision: first,
        text: `${where} removed: on ${signedAt} the head of the stream was signed at revision ${revision}.`,
      }
    }
    if (missing.has(signedHead)) {
      const first = attested + 1
      const where =
        first === revision
          ? `The event at revision ${revision}`
          : `One or more events at revisions ${first} to ${revision}`
      return {
        ...common,
        kind: 'rewritten',
        revision,
        text: `${where} changed after the head was signed on ${signedAt}, and the hash chain was recomputed.`,
      }
    }
    attested = revision
  }
  return null
}
