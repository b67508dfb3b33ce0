import canonicalize from 'canonicalize'
import { createHash } from 'node:crypto'
import type { EventMetadata } from '#contracts/events/envelope'
import type { EventToAppend, JsonValue, StreamEvent } from '../event-store.ts'

export type ChainedEvent = Pick<
  StreamEvent,
  'id' | 'type' | 'stream' | 'revision' | 'data' | 'metadata'
>

/** An event without `previousHash`: its place in the chain is not known yet. */
export type UnchainedEvent = Omit<EventToAppend, 'metadata'> & {
  readonly metadata: Omit<EventMetadata, 'previousHash'>
}

/**
 * Canonical JSON by RFC 8785: equal values have equal text, whatever the order of their keys. Keys
 * are sorted by UTF-16 code units. The text has no spaces and no undefined members. Numbers and
 * strings are written as JSON.stringify writes them.
 * @throws Error for a number that JSON cannot hold
 */
export function canonicalJson(value: JsonValue): string {
  const text = canonicalize(value)
  if (text === undefined)
    throw new TypeError(
      `A value of type ${typeof value} has no canonical text. Pass a value that JSON can hold.`,
    )
  return text
}

/**
 * SHA-256 of a stored event, in lower-case hex. The hash covers the ciphertext, so that erasing a
 * person breaks no chain. It does not cover the position, so that a copy of the log keeps its
 * chains.
 */
export function hashOf({ id, type, stream, revision, data, metadata }: ChainedEvent): string {
  return createHash('sha256')
    .update(canonicalJson({ id, type, stream, revision, data, metadata }))
    .digest('hex')
}

/** An event with its place in the chain, ready to append. */
export type EventWithMetadata = EventToAppend & { readonly metadata: EventMetadata }

/**
 * Sets `previousHash` of new events: the first one links to the stream's last event, each other one
 * to its predecessor.
 */
export function chain(
  stream: string,
  last: StreamEvent | undefined,
  events: readonly UnchainedEvent[],
): readonly EventWithMetadata[] {
  const firstRevision = last === undefined ? 0 : last.revision + 1
  let previousHash = last === undefined ? null : hashOf(last)
  return events.map((event, index) => {
    const chained = { ...event, metadata: { ...event.metadata, previousHash } }
    previousHash = hashOf({ ...chained, stream, revision: firstRevision + index })
    return chained
  })
}
