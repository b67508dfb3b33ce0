import {
  streamNameFilter,
  type AllStreamResolvedEvent,
  type Filter,
  type Position as ServerPosition,
  type ResolvedEvent,
} from '@eventstore/db-client'
import { UnreadableEvent } from '../errors.ts'
import type { StoredEvent, StreamEvent } from '../event-store.ts'
import { storedJson } from '../stored-json.ts'
import { toPosition } from './positions.ts'

type ServerEvent = NonNullable<ResolvedEvent['event']>
type AllEvent = NonNullable<AllStreamResolvedEvent['event']>

/**
 * Selects the events of this log on a server. System events are in the same file: their streams or
 * types begin with '$'. Without a prefix, all other events belong to the log. With a prefix, only
 * streams with the prefix do, so that several programs or tests can share a server. The prefix
 * exists only on the server: stream names and hash chains do not have it.
 */
export interface LogStreams {
  toServerName(stream: string): string
  isInLog(event: { readonly streamId: string; readonly type: string }): boolean
  /** @throws UnreadableEvent if another program wrote the event in another format */
  toStreamEvent(event: ServerEvent): StreamEvent
  /**
   * Converts an event of $all. Only reads of $all return positions. @throws UnreadableEvent as
   * above
   */
  toStoredEvent(event: AllEvent): StoredEvent
  /**
   * Converts without a check, for readers that may skip an event in another format. The codec
   * refuses such an event. A read model that folds its type then pauses, and the others continue.
   */
  toUncheckedEvent(event: AllEvent): StoredEvent
  /** A subscription filter, by which the server skips events of other logs and system events. */
  filter(checkpointReached: (position: ServerPosition) => void): Filter
}

/**
 * Number of events in one search window. After a window without matching events the server sends a
 * checkpoint.
 */
const searchWindow = 1_000

export function createLogStreams(prefix: string): LogStreams {
  function assertReadable({
    id,
    type,
    streamId,
    revision,
    isJson,
    data,
    metadata,
  }: ServerEvent): void {
    if (isJson && isObject(data) && isObject(metadata)) return
    throw new UnreadableEvent(
      { id, type, stream: streamId, revision: Number(revision) },
      'it is not JSON with metadata. Another program wrote it. Use a separate server, or set streamPrefix in EVENTSTORE_URL. ' +
        'If its stream has no event of the product, delete the stream and scavenge the server. Otherwise restore the last backup into another log.',
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
      ...storedJson(data, metadata),
      stream: streamId.slice(prefix.length),
      revision: Number(revision),
      position: toPosition(position),
    }
  }

  return {
    toServerName: (stream) => prefix + stream,
    isInLog: ({ streamId, type }) =>
      !streamId.startsWith('$') && !type.startsWith('$') && streamId.startsWith(prefix),
    // The codec checks metadata and payload. The store returns them unchanged.
    toStreamEvent(event) {
      assertReadable(event)
      const { id, type, streamId, data, metadata, revision } = event
      return {
        id,
        type,
        ...storedJson(data, metadata),
        stream: streamId.slice(prefix.length),
        revision: Number(revision),
      }
    },
    toStoredEvent(event) {
      assertReadable(event)
      return toUncheckedEvent(event)
    },
    toUncheckedEvent,
    filter(onCheckpoint) {
      const common = {
        maxSearchWindow: searchWindow,
        checkpointInterval: 1,
        checkpointReached: (_: unknown, position: ServerPosition) => onCheckpoint(position),
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
