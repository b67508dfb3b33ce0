import { streamNameFilter, type AllStreamResolvedEvent, type Filter, type Position as ServerPosition, type ResolvedEvent } from '@eventstore/db-client'
import type { EventMetadata } from '#contracts/events/envelope'
import { UnreadableEvent } from '../errors.ts'
import type { JsonObject, StoredEvent, StreamEvent } from '../event-store.ts'
import { toPosition } from './positions.ts'

type ServerEvent = NonNullable<ResolvedEvent['event']>

/**
 * Which of a server's events are this log. The server keeps its own books in the same file: streams that begin with
 * '$', and types that do. All others are ours; or, with a prefix, those whose stream has it, so that programs, or the
 * tests of one, can share a server without reading each other. The prefix is the server's business alone: it is not
 * part of a stream's name anywhere else, hash chains included.
 */
export interface OwnStreams {
  toServer(stream: string): string
  isOwn(event: { readonly streamId: string; readonly type: string }): boolean
  toStreamEvent(event: ServerEvent): StreamEvent
  /** Of an event of $all. Reads of a stream tell no position. */
  toStoredEvent(event: NonNullable<AllStreamResolvedEvent['event']>): StoredEvent
  /** For a subscription, by which the server passes over what is not ours. */
  filter(checkpointReached: (position: ServerPosition) => void): Filter
}

/** How many events the server looks at in one go, and tells a checkpoint after that many that were not ours. */
const searchWindow = 1_000

export function createOwnStreams(prefix: string): OwnStreams {
  function assertOurs({ id, type, streamId, revision, isJson, data, metadata }: ServerEvent): void {
    if (isJson && isObject(data) && isObject(metadata)) return
    throw new UnreadableEvent(
      { id, type, stream: streamId, revision: Number(revision) },
      'it is not JSON with metadata. Another program wrote it: give this one a server of its own, or a streamPrefix in EVENTSTORE_URL.',
    )
  }

  const streamOf = prefix === '' ? ({ streamId }: ServerEvent) => streamId : ({ streamId }: ServerEvent) => streamId.slice(prefix.length)

  return {
    toServer: (stream) => prefix + stream,
    isOwn: ({ streamId, type }) => !streamId.startsWith('$') && !type.startsWith('$') && streamId.startsWith(prefix),
    // The codec checks metadata and payload; the store gives back what it was given.
    toStreamEvent(event) {
      assertOurs(event)
      const { id, type, data, metadata, revision } = event
      return { id, type, data: data as JsonObject, metadata: metadata as unknown as EventMetadata, stream: streamOf(event), revision: Number(revision) }
    },
    toStoredEvent(event) {
      assertOurs(event)
      const { id, type, data, metadata, revision, position } = event
      return {
        id, type, data: data as JsonObject, metadata: metadata as unknown as EventMetadata, stream: streamOf(event), revision: Number(revision), position: toPosition(position),
      }
    },
    filter(tell) {
      const common = { maxSearchWindow: searchWindow, checkpointInterval: 1, checkpointReached: (_: unknown, position: ServerPosition) => tell(position) }
      return prefix === '' ? streamNameFilter({ ...common, regex: '^[^$]' }) : streamNameFilter({ ...common, prefixes: [prefix] })
    },
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
}
