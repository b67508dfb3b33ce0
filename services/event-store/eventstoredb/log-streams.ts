import {
  streamNameFilter,
  type AllStreamResolvedEvent,
  type Filter,
  type Position as ServerPosition,
  type ResolvedEvent,
} from '@eventstore/db-client'
import type { EventMetadata } from '#contracts/events/envelope'
import { UnreadableEvent } from '../errors.ts'
import type { JsonObject, StoredEvent, StreamEvent } from '../event-store.ts'
import { toPosition } from './positions.ts'

type ServerEvent = NonNullable<ResolvedEvent['event']>
type AllEvent = NonNullable<AllStreamResolvedEvent['event']>

/**
 * Which of a server's events are this log. The server keeps its own books in the same file: streams that begin with
 * '$', and types that do. All others are ours; or, with a prefix, those whose stream has it, so that programs, or the
 * tests of one, can share a server without reading each other. The prefix is the server's business alone: it is not
 * part of a stream's name anywhere else, hash chains included.
 */
export interface LogStreams {
  toServerName(stream: string): string
  isInLog(event: { readonly streamId: string; readonly type: string }): boolean
  /** @throws UnreadableEvent for one that another program wrote, in a form that no event of ours has. */
  toStreamEvent(event: ServerEvent): StreamEvent
  /** Of an event of $all, where alone a position is told. @throws UnreadableEvent as above */
  toStoredEvent(event: AllEvent): StoredEvent
  /**
   * The same for whoever may pass over it: an event in another form comes as it is, for the codec to refuse. A read model
   * that folds its type pauses at it then, and the others go on.
   */
  toUncheckedEvent(event: AllEvent): StoredEvent
  /** For a subscription, by which the server passes over what is not ours. */
  filter(checkpointReached: (position: ServerPosition) => void): Filter
}

/** How many events the server looks at in one go, and tells a checkpoint after that many that were not ours. */
const searchWindow = 1_000

export function createLogStreams(prefix: string): LogStreams {
  function assertOurs({ id, type, streamId, revision, isJson, data, metadata }: ServerEvent): void {
    if (isJson && isObject(data) && isObject(metadata)) return
    throw new UnreadableEvent(
      { id, type, stream: streamId, revision: Number(revision) },
      'it is not JSON with metadata. Another program wrote it: give this one a server of its own, or a streamPrefix in EVENTSTORE_URL. ' +
        'What is there already goes away when its stream is deleted and the server scavenged.',
    )
  }

  function toUncheckedEvent({
    id,
    type,
    streamId,
    data,
    metadata,
    revision,
    position,
  }: AllEvent): StoredEvent {
    return {
      id,
      type,
      data: data as JsonObject,
      metadata: metadata as unknown as EventMetadata,
      stream: streamId.slice(prefix.length),
      revision: Number(revision),
      position: toPosition(position),
    }
  }

  return {
    toServerName: (stream) => prefix + stream,
    isInLog: ({ streamId, type }) =>
      !streamId.startsWith('$') && !type.startsWith('$') && streamId.startsWith(prefix),
    // The codec checks metadata and payload; the store gives back what it was given.
    toStreamEvent(event) {
      assertOurs(event)
      const { id, type, streamId, data, metadata, revision } = event
      return {
        id,
        type,
        data: data as JsonObject,
        metadata: metadata as unknown as EventMetadata,
        stream: streamId.slice(prefix.length),
        revision: Number(revision),
      }
    },
    toStoredEvent(event) {
      assertOurs(event)
      return toUncheckedEvent(event)
    },
    toUncheckedEvent,
    filter(tell) {
      const common = {
        maxSearchWindow: searchWindow,
        checkpointInterval: 1,
        checkpointReached: (_: unknown, position: ServerPosition) => tell(position),
      }
      return prefix === ''
        ? streamNameFilter({ ...common, regex: '^[^$]' })
        : streamNameFilter({ ...common, prefixes: [prefix] })
    },
  }
}

function isObject(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Uint8Array)
  )
}
