/** A position in the whole log, as opaque text. Compare positions with `comparePositions`. */
export type Position = string

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined }
export type JsonObject = { readonly [key: string]: JsonValue | undefined }

/**
 * An encoded event: its personal fields are ciphertext. The codec, not the store, knows the shape
 * of data and metadata.
 */
export interface EventToAppend {
  readonly id: string
  readonly type: string
  readonly data: JsonObject
  readonly metadata: JsonObject
}

/** An event in the store. `revision` starts at 0 in each stream. */
export interface StoredEvent extends EventToAppend {
  readonly stream: string
  readonly revision: number
  readonly position: Position
}

/** An event of a stream read. PostgreSQL returns its position; EventStoreDB does not. */
export type StreamEvent = Omit<StoredEvent, 'position'> & { readonly position?: Position }

/** The revision of the last event that the writer has read. The port does not offer 'any'. */
export type ExpectedRevision = number | 'no-stream'

export interface AppendResult {
  /** Revision and position of the last event of the append. */
  readonly revision: number
  readonly position: Position
}

export interface SubscribeOptions {
  /** Exclusive: delivery starts with the next event. Null is the start of the log. */
  readonly after: Position | null
  /** Ends the subscription. `subscribe` resolves after the handler has finished. */
  readonly signal: AbortSignal
  /**
   * Receives one batch at a time, in position order. The next call waits until the promise
   * resolves.
   */
  readonly onEvents: (events: readonly StoredEvent[]) => Promise<void>
  readonly maxBatchSize?: number
}

/**
 * The port that every event store adapter implements.
 *
 * Guarantees:
 * - An append is atomic, and durable when it resolves.
 * - Position order is commit order: a reader that resumes after its last position misses no event
 *   and reads no event twice.
 * - A repeated append of the same event ids at the same expected revision writes nothing and
 *   returns the same result.
 * - A subscription resumes by itself after an outage of the store.
 * - Failures are the typed errors of `errors.ts`.
 */
export interface EventStore {
  append(
    stream: string,
    expectedRevision: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendResult>
  /**
   * In revision order; empty for a stream that does not exist. `fromRevision` is inclusive. Returns
   * at most `maxCount` events, at a cost that does not depend on the length of the stream. Without
   * `maxCount`, returns all events.
   */
  readStream(
    stream: string,
    fromRevision?: number,
    maxCount?: number,
  ): Promise<readonly StreamEvent[]>
  /**
   * The last event of a stream, at the same cost for a stream of any length. Null without events.
   */
  readLast(stream: string): Promise<StreamEvent | null>
  /**
   * The whole log in position order, page by page, up to the last event at the time of the call.
   */
  readAll(after: Position | null, pageSize?: number): AsyncIterable<readonly StoredEvent[]>
  /** The whole log in reverse position order. Leaves out events that are appended meanwhile. */
  readBackwards(pageSize?: number): AsyncIterable<readonly StoredEvent[]>
  subscribe(options: SubscribeOptions): Promise<void>
  /** The position of the last event, or null for an empty log. */
  lastPosition(): Promise<Position | null>
  /** Number of events after `after`. EventStoreDB estimates it: use it for progress only. */
  countAfter(after: Position | null): Promise<number>
  /**
   * Negative if `a` is before `b`, 0 if they are equal, positive if `a` is after `b`. A position of
   * the other kind of store is before all positions. A session may keep such a position after the
   * log was moved; the copy has the events that the session wrote.
   */
  comparePositions(a: Position, b: Position): number
  /**
   * The UUID of this log. A copy has another UUID. Positions are valid only in the log that
   * assigned them.
   */
  identity(): Promise<string>
  close(): Promise<void>
}
