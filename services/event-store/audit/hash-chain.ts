import { createHash, createHmac, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { EventMetadata } from '#contracts/events/envelope'
import type { EventToAppend, JsonObject, JsonValue, StreamEvent } from '../event-store.ts'
import { canonicalJson } from './canonical-json.ts'

export type ChainedEvent = Pick<
  StreamEvent,
  'id' | 'type' | 'stream' | 'revision' | 'data' | 'metadata'
>

/** An event without `previousHash` and `mac`: its place in the chain is not known yet. */
export type UnchainedEvent = Omit<EventToAppend, 'metadata'> & {
  readonly metadata: Omit<EventMetadata, 'previousHash' | 'mac'>
}

/**
 * SHA-256 of a stored event, in lower-case hex. The hash covers the ciphertext, so that erasing a
 * person breaks no chain. It covers the MAC, so that a seal of the hash also seals the MAC. It does
 * not cover the position, so that a copy of the log keeps its chains. If an intruder changed an
 * event so that it has no canonical text (1e999, nested arrays), no written event has its hash.
 */
export function hashOf({ id, type, stream, revision, data, metadata }: ChainedEvent): string {
  const event = { id, type, stream, revision, data, metadata }
  return createHash('sha256')
    .update(canonicalOrNull(event) ?? `No canonical text: ${stream} ${revision}`)
    .digest('hex')
}

function canonicalOrNull(value: JsonValue): string | null {
  try {
    return canonicalJson(value)
  } catch {
    return null
  }
}

/** `previousHash` as it is stored. An intruder may have stored metadata that are no object. */
export function linkOf(event: ChainedEvent): JsonValue | undefined {
  return membersOf(event.metadata)['previousHash']
}

/** `mac` as it is stored. */
export function storedMacOf(event: ChainedEvent): JsonValue | undefined {
  return membersOf(event.metadata)['mac']
}

function membersOf(stored: JsonValue): JsonObject {
  return typeof stored === 'object' && stored !== null && !isArray(stored) ? stored : {}
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/**
 * HMAC-SHA-256 of an event, in lower-case hex: of the members that `hashOf` covers, `previousHash`
 * included, without the MAC itself.
 */
function macOf(
  { id, type, stream, revision, data, metadata: { mac: _mac, ...metadata } }: ChainedEvent,
  macKey: KeyObject,
): Buffer {
  return createHmac('sha256', macKey)
    .update(canonicalJson({ id, type, stream, revision, data, metadata }))
    .digest()
}

/** Null for an event that an intruder gave no canonical text. */
function macOrNull(event: ChainedEvent, macKey: KeyObject): Buffer | null {
  try {
    return macOf(event, macKey)
  } catch {
    return null
  }
}

/** False if the event was changed, or was written by a program without the key. */
export function hasGenuineMac(event: ChainedEvent, macKey: KeyObject): boolean {
  const { mac } = membersOf(event.metadata)
  if (typeof mac !== 'string' || !/^[0-9a-f]{64}$/.test(mac)) return false
  const computed = macOrNull(event, macKey)
  return computed !== null && timingSafeEqual(computed, Buffer.from(mac, 'hex'))
}

/** An event with its place in the chain, ready to append. */
export type EventWithMetadata = EventToAppend & { readonly metadata: EventMetadata }

/**
 * Sets `previousHash` and `mac` of new events: the first one links to the stream's last event, each
 * other one to its predecessor.
 */
export function chain(
  stream: string,
  last: StreamEvent | undefined,
  events: readonly UnchainedEvent[],
  macKey: KeyObject,
): readonly EventWithMetadata[] {
  const firstRevision = last === undefined ? 0 : last.revision + 1
  let before: ChainedEvent | undefined = last
  return events.map((event, index) => {
    const place = { stream, revision: firstRevision + index }
    const previousHash = before === undefined ? null : hashOf(before)
    const linked = { ...event, metadata: { ...event.metadata, previousHash } }
    const mac = macOf({ ...linked, ...place }, macKey).toString('hex')
    const chained = { ...event, metadata: { ...linked.metadata, mac } }
    before = { ...chained, ...place }
    return chained
  })
}
