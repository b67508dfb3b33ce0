import type { KeyObject } from 'node:crypto'
import type { StreamEvent } from '../event-store.ts'
import { hashOf, hasGenuineMac } from './hash-chain.ts'
import type { Head } from './seal.ts'
import { explainBreak, type ChainProblem } from './verify-chain.ts'

/** A problem of a stream, found by its hash chain, its MACs or the heads of seals. */
export type StreamProblem =
  | ChainProblem
  | (Omit<ChainProblem, 'kind'> & { readonly kind: 'forged' | 'truncated' | 'rewritten' })

/** A head of the stream that a seal covers. */
export interface SealedRevision extends Head {
  readonly sequence: number
  readonly sealedAt: string
}

/**
 * The first problem of a stream; null if there is none. `events` is the whole stream in revision
 * order. `sealed` is in the order of sequence numbers. Without `macKey`, MACs are not checked. At
 * the same revision the hash chain's problem is reported: it distinguishes more kinds.
 */
export function explainStream(
  stream: string,
  events: readonly StreamEvent[],
  sealed: readonly SealedRevision[],
  macKey: KeyObject | null,
): StreamProblem | null {
  const found = [
    explainBreak(events),
    macKey === null ? null : firstForged(events, macKey),
    sealedProblem(stream, events, sealed),
  ].filter((problem) => problem !== null)
  return found.reduce<StreamProblem | null>(
    (first, next) => (first === null || next.revision < first.revision ? next : first),
    null,
  )
}

function firstForged(events: readonly StreamEvent[], macKey: KeyObject): StreamProblem | null {
  const event = events.find((one) => !hasGenuineMac(one, macKey))
  if (event === undefined) return null
  const { stream, revision, id, type } = event
  return {
    stream,
    kind: 'forged',
    revision,
    eventId: id,
    text: `Event ${id} (${type}) at revision ${revision} has no MAC of this AUDIT_KEY: the event was changed, or another program wrote it.`,
  }
}

function sealedProblem(
  stream: string,
  events: readonly StreamEvent[],
  sealed: readonly SealedRevision[],
): StreamProblem | null {
  const byRevision = new Map(events.map((event) => [event.revision, event]))
  const last = events.at(-1)?.revision ?? -1
  let attested = -1
  for (const { revision, hash, sequence, sealedAt } of sealed) {
    if (last < revision)
      return {
        stream,
        kind: 'truncated',
        revision: last + 1,
        eventId: null,
        text: `${eventsAt(last + 1, revision, 'was', 'were')} removed: seal ${sequence} (${sealedAt}) covers the stream up to revision ${revision}.`,
      }
    const event = byRevision.get(revision)
    if (event === undefined || hashOf(event) !== hash)
      return {
        stream,
        kind: 'rewritten',
        revision,
        eventId: event?.id ?? null,
        text: `${attested + 1 === revision ? `The event at revision ${revision}` : `One or more events at revisions ${attested + 1} to ${revision}`} changed after seal ${sequence} (${sealedAt}), and the hash chain was recomputed.`,
      }
    attested = revision
  }
  return null
}

function eventsAt(first: number, last: number, one: string, several: string): string {
  return first === last
    ? `The event at revision ${last} ${one}`
    : `The events at revisions ${first} to ${last} ${several}`
}

/** The chain holds in revision order, but not in position order. */
export function moved(stream: string): StreamProblem {
  return {
    stream,
    kind: 'moved',
    revision: 0,
    eventId: null,
    text: 'The position order of the events differs from their revision order: positions were changed.',
  }
}
