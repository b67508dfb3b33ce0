import {
  BACKWARDS,
  END,
  FORWARDS,
  START,
  StreamNotFoundError,
  type AllStreamRecordedEvent,
  type AllStreamResolvedEvent,
  type Direction,
  type EventStoreDBClient,
  type ReadPosition,
  type ReadStreamOptions,
  type ResolvedEvent,
  type StreamingRead,
} from '@eventstore/db-client'
import type { Position, StoredEvent, StreamEvent } from '../event-store.ts'
import type { LogStreams } from './log-streams.ts'
import { comparePositions, toPosition, toServerPosition } from './positions.ts'
import { createStreamReader } from './stream-reader.ts'

/**
 * How long the server may send nothing during a read, in milliseconds. The client's own deadline
 * does not cover reads.
 */
export const timeoutMs = 10_000
/** How many events the client itself buffers. */
export const highWaterMark = 512

/** Where to read. `signal` ends the reads when the store closes. */
export interface Source {
  readonly client: EventStoreDBClient
  readonly streams: LogStreams
  readonly signal: AbortSignal
}

const largestPage = 4_096

/** A part of $all in the order of the read: this log's events in it, and its bounds. */
export interface Page {
  readonly events: readonly StoredEvent[]
  /** Positions of the first and the last event of any log that was read; null if none was read. */
  readonly first: Position | null
  readonly last: Position | null
  /** The log has no more in this direction. */
  readonly isEnd: boolean
}

/** In revision order; empty for a stream that does not exist. At most `maxCount` events. */
export async function readStream(
  source: Source,
  stream: string,
  fromRevision: number,
  maxCount?: number,
): Promise<readonly StreamEvent[]> {
  return readOneStream(source, stream, {
    fromRevision: BigInt(fromRevision),
    direction: FORWARDS,
    ...(maxCount === undefined ? {} : { maxCount }),
  })
}

/** Null for a stream that does not exist. */
export async function readLast(source: Source, stream: string): Promise<StreamEvent | null> {
  const [last = null] = await readOneStream(source, stream, {
    fromRevision: END,
    direction: BACKWARDS,
    maxCount: 1,
  })
  return last
}

async function readOneStream(
  { client, streams, signal }: Source,
  stream: string,
  range: ReadStreamOptions,
): Promise<readonly StreamEvent[]> {
  const read = client.readStream(streams.toServerName(stream), range, { highWaterMark })
  try {
    return await takeAll(read, signal, ({ event }) => event && streams.toStreamEvent(event))
  } catch (error) {
    if (error instanceof StreamNotFoundError) return []
    throw error
  }
}

/** The part of $all after `after`. */
export async function readPage(
  source: Source,
  after: Position | null,
  count: number,
): Promise<Page> {
  // The server begins with the event at `after` itself.
  const requested = after === null ? count : count + 1
  const read = await readAll(
    source,
    FORWARDS,
    after === null ? START : toServerPosition(after),
    requested,
  )
  const isKnown =
    after !== null &&
    read[0] !== undefined &&
    comparePositions(toPosition(read[0].position), after) === 0
  return toPage(source.streams, isKnown ? read.slice(1) : read, read.length < requested)
}

/** The part of $all before `before` (null: the end of the log), the latest event first. */
export async function readPageBackwards(
  source: Source,
  before: Position | null,
  count: number,
): Promise<Page> {
  const read = await readAll(
    source,
    BACKWARDS,
    before === null ? END : toServerPosition(before),
    count,
  )
  return toPage(source.streams, read, read.length < count)
}

/**
 * This log's events, from the end of $all back to `first`, the log's first event. While no event
 * matches, the page size grows.
 */
export async function* eachPageBackwards(
  pageSize: number,
  first: Position | null,
  readBackwards: (before: Position | null, count: number) => Promise<Page>,
): AsyncGenerator<readonly StoredEvent[]> {
  let before: Position | null = null
  if (first === null) return
  for (let count = pageSize; ;) {
    const { events, last, isEnd }: Page = await readBackwards(before, count)
    for (let index = 0; index < events.length; index += pageSize)
      yield events.slice(index, index + pageSize)
    if (isEnd || last === null || comparePositions(last, first) <= 0) return
    count = events.length > 0 ? pageSize : Math.max(count, Math.min(largestPage, count * 4))
    before = last
  }
}

function toPage(
  streams: LogStreams,
  read: readonly AllStreamRecordedEvent[],
  isEnd: boolean,
): Page {
  const [first, last] = [read[0], read.at(-1)]
  return {
    events: read
      .filter((event) => streams.isInLog(event))
      .map((event) => streams.toUncheckedEvent(event)),
    first: first ? toPosition(first.position) : null,
    last: last ? toPosition(last.position) : null,
    isEnd,
  }
}

async function readAll(
  { client, signal }: Source,
  direction: Direction,
  fromPosition: ReadPosition,
  maxCount: number,
): Promise<readonly AllStreamRecordedEvent[]> {
  return takeAll(
    client.readAll({ direction, fromPosition, maxCount }, { highWaterMark }),
    signal,
    ({ event }) => event,
  )
}

async function takeAll<Event, Resolved extends AllStreamResolvedEvent | ResolvedEvent>(
  read: StreamingRead<Resolved>,
  signal: AbortSignal,
  toEvent: (resolved: Resolved) => Event | undefined,
): Promise<readonly Event[]> {
  const events = createStreamReader(read, () => read.cancel(), toEvent, {
    bufferSize: Number.POSITIVE_INFINITY,
    signal,
  })
  try {
    return await events.take(Number.POSITIVE_INFINITY, { waitForMax: true, timeoutMs })
  } catch (error) {
    events.end()
    throw error
  }
}
