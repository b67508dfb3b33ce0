import type { StreamEvent } from '../event-store.ts'
import { hashOf, linkOf } from './hash-chain.ts'

/**
 * The first event of a stream that differs from what was written, as far as the hash chain shows
 * it.
 */
export interface ChainProblem {
  readonly stream: string
  readonly kind: 'changed' | 'removed' | 'inserted' | 'moved'
  readonly revision: number
  /** Null for a removed event. */
  readonly eventId: string | null
  readonly text: string
}

/**
 * Returns the first changed, removed or inserted event of a stream, or null if the chain holds.
 * `events` is the whole stream in revision order.
 *
 * If two neighbors do not fit, one of them is wrong. The events around them show which one: an
 * event is unchanged if the next event has its hash.
 */
export function explainBreak(events: readonly StreamEvent[]): ChainProblem | null {
  for (const [index, event] of events.entries()) {
    const before = events[index - 1]
    if (event.revision !== index) return gapBefore(event, index)
    if (linkOf(event) === hashOrNull(before)) continue
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
    text: `${gone}: the stream continues with revision ${revision}.`,
  }
}

function mismatch(events: readonly StreamEvent[], index: number, event: StreamEvent): ChainProblem {
  const [beforeLast, before, after] = [events[index - 2], events[index - 1], events[index + 1]]
  const link = linkOf(event)
  /**
   * Whether the next event has the hash that this event has at `revision`. An attacker may have
   * renumbered the later events.
   */
  const isAttested = (as: StreamEvent, revision: number) =>
    after !== undefined && linkOf(after) === hashOf({ ...as, revision })

  if (isAttested(event, index + 1)) return removedBefore(event)
  if (before === undefined) {
    if (after === undefined && isHash(link)) return removedBefore(event)
    return problem(
      'changed',
      event,
      'it is the first event of its stream, and has the hash of a previous event',
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
  return problem('changed', before, 'its hash is not the previousHash of the next event')
}

function removedBefore({ stream, revision, id, type }: StreamEvent): ChainProblem {
  const text = `The event at revision ${revision} was removed: event ${id} (${type}) was renumbered into its place.`
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

/** An attacker may have written any value. */
function isHash(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}
