import type { StreamEvent } from '../event-store.ts'
import { hashOf } from './hash-chain.ts'

/** What somebody did to a stream, as far as its chain tells: its first event that is not as it was written. */
export interface ChainProblem {
  readonly stream: string
  readonly kind: 'changed' | 'removed' | 'inserted' | 'moved'
  readonly revision: number
  /** Null for an event that is gone. */
  readonly eventId: string | null
  readonly text: string
}

/** A stream's last event so far. */
export interface Head {
  readonly revision: number
  readonly hash: string
}

export interface ChainWalk {
  /** The whole log, event by event in position order. Gives the event's hash. */
  add(event: StreamEvent): string
  /** Of every stream that was met. */
  readonly heads: ReadonlyMap<string, Head>
  /** Streams in which an event does not continue the one before. */
  readonly broken: ReadonlySet<string>
}

/** Finds broken chains while the log goes by; it keeps one head a stream, some 200 bytes. `explainBreak` says what is broken. */
export function walkChains(): ChainWalk {
  const heads = new Map<string, Head>()
  const broken = new Set<string>()
  return {
    heads,
    broken,
    add(event) {
      const head = heads.get(event.stream)
      const hash = hashOf(event)
      const continues =
        event.revision === (head === undefined ? 0 : head.revision + 1) &&
        event.metadata.previousHash === (head?.hash ?? null)
      if (!continues) broken.add(event.stream)
      if (head === undefined || event.revision > head.revision)
        heads.set(event.stream, { revision: event.revision, hash })
      return hash
    },
  }
}

/**
 * Names the first changed, removed or inserted event of a stream whose chain is broken; null when the
 * chain holds. `events` are the whole stream in revision order.
 *
 * Where two events do not fit, the chain alone cannot say which of them is false; the ones around
 * them can: an event that its successor attests is as it was written.
 */
export function explainBreak(events: readonly StreamEvent[]): ChainProblem | null {
  for (const [index, event] of events.entries()) {
    const before = events[index - 1]
    if (event.revision !== index) return gapBefore(event, index)
    if (event.metadata.previousHash === hashOrNull(before)) continue
    return mismatch(events, index, event)
  }
  return null
}

function gapBefore({ stream, revision }: StreamEvent, expected: number): ChainProblem {
  const gone =
    revision - 1 > expected
      ? `The events at revisions ${expected} to ${revision - 1} were removed`
      : `The event at revision ${expected} was removed`
  return {
    stream,
    kind: 'removed',
    revision: expected,
    eventId: null,
    text: `${gone}: the stream goes on with revision ${revision}.`,
  }
}

function mismatch(events: readonly StreamEvent[], index: number, event: StreamEvent): ChainProblem {
  const [beforeLast, before, after] = [events[index - 2], events[index - 1], events[index + 1]]
  const link = event.metadata.previousHash
  /** Whether the successor was chained to this event as it was at `revision`: later ones may have been counted up or down since. */
  const isAttested = (as: StreamEvent, revision: number) =>
    after?.metadata.previousHash === hashOf({ ...as, revision })

  if (isAttested(event, index + 1)) return removedBefore(event)
  if (before === undefined) {
    if (after === undefined && isHash(link)) return removedBefore(event)
    return problem(
      'changed',
      event,
      'the first event of a stream continues none, and this one says that it does',
    )
  }
  if (isAttested(event, index - 1))
    return problem('inserted', before, 'the events around it continue each other')
  if (isAttested(before, index - 1))
    return problem('inserted', event, 'the events around it continue each other')
  if (!isHash(link))
    return problem(
      after === undefined ? 'inserted' : 'changed',
      event,
      `it does not continue revision ${index - 1}`,
    )
  if (beforeLast !== undefined && link === hashOf(beforeLast))
    return problem('inserted', before, 'the events around it continue each other')
  return problem('changed', before, 'it has not the hash that the next event was chained to')
}

function removedBefore({ stream, revision, id, type }: StreamEvent): ChainProblem {
  const text = `The event at revision ${revision} was removed: event ${id} (${type}) was counted down into its place.`
  return { stream, kind: 'removed', revision, eventId: null, text }
}

function problem(
  kind: 'changed' | 'inserted',
  { stream, revision, id, type }: StreamEvent,
  because: string,
): ChainProblem {
  return {
    stream,
    kind,
    revision,
    eventId: id,
    text: `Event ${id} (${type}) at revision ${revision} was ${kind}: ${because}.`,
  }
}

function hashOrNull(event: StreamEvent | undefined): string | null {
  return event === undefined ? null : hashOf(event)
}

/** The table may hold anything by now. */
function isHash(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}
