import { createHash } from 'node:crypto'
import type { EventMetadata } from '#contracts/events/envelope'
import type { EventToAppend, JsonValue, StreamEvent } from '../event-store.ts'
import { isJsonArray } from '../is-json-array.ts'

export type ChainedEvent = Pick<
  StreamEvent,
  'id' | 'type' | 'stream' | 'revision' | 'data' | 'metadata'
>

/** An event that has everything but its place in the chain. */
export type UnchainedEvent = Omit<EventToAppend, 'metadata'> & {
  readonly metadata: Omit<EventMetadata, 'previousHash'>
}

/**
 * One text for one JSON value, whatever order its keys are stored in: RFC 8785. Keys in the order of
 * their UTF-16 code units, no spaces, numbers and strings as JSON.stringify writes them, and no
 * member that is undefined.
 */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.keys(value)
    .toSorted()
    .flatMap((key) => {
      const member = value[key]
      return member === undefined ? [] : [`${JSON.stringify(key)}:${canonicalJson(member)}`]
    })
  return `{${members.join(',')}}`
}

/**
 * SHA-256, in lower-case hex, of an event as it is stored: ciphertext and all, so that erasing a
 * person breaks no chain; not its position, so that a copy of the log keeps its chains.
 */
export function hashOf({ id, type, stream, revision, data, metadata }: ChainedEvent): string {
  return createHash('sha256')
    .update(canonicalJson({ id, type, stream, revision, data, metadata }))
    .digest('hex')
}

/** Links new events to the last one of their stream, and to each other. */
export function chain(
  stream: string,
  last: StreamEvent | undefined,
  events: readonly UnchainedEvent[],
): readonly EventToAppend[] {
  const firstRevision = last === undefined ? 0 : last.revision + 1
  let previousHash = last === undefined ? null : hashOf(last)
  return events.map((event, index) => {
    const chained = { ...event, metadata: { ...event.metadata, previousHash } }
    previousHash = hashOf({ ...chained, stream, revision: firstRevision + index })
    return chained
  })
}
