import type { EventMetadata } from '#contracts/events/envelope'

/** A position in the whole log. Opaque: compare with `comparePositions`, keep it as text. */
export type Position = string

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined }
export type JsonObject = { readonly [key: string]: JsonValue | undefined }

/** An event as it goes to the store: already encoded (personal fields are ciphertext). */
export interface EventToAppend {
  readonly id: string
  readonly type: string
  readonly data: JsonObject
  readonly metadata: EventMetadata
}

/** An event as the store holds it. `revision` counts from 0 within its stream. */
export interface StoredEvent extends EventToAppend {
  readonly stream: string
  readonly revision: number
  readonly position: Position
}

/** An event as its stream gives it. EventStoreDB does not tell there where it stands in the whole log; PostgreSQL does. */
export type StreamEvent = Omit<StoredEvent, 'position'> & { readonly position?: Position }

/** The revision of the last event that the writer has seen. Writing blindly ('any') is not offered. */
export type ExpectedRevision = number | 'no-stream'

export interface AppendResult {
  /** Revision and position of the last event of the append. */
  readonly revision: number
  readonly position: Position
}

export interface SubscribeOptions {
  /** Exclusive: the first event delivered is the one after it. `null` is the start of the log. */
  readonly after: Position | null
  /** Ends the subscription: `subscribe` then resolves once the handler has finished. */
  readonly signal: AbortSignal
  /** Called one batch at a time, in position order; the next waits until this one resolves. */
  readonly onEvents: (events: readonly StoredEvent[]) => Promise<void>
  readonly maxBatchSize?: number
}

/**
 * The port that every event store adapter implements.
 *
 * Promises: an append is durable when it resolves, and all or nothing. Position order is commit
 * order, so a reader that remembers its last position misses nothing and sees nothing twice.
 * A repeat of the same event ids at the same expected revision is one append with the same
 * answer. Failures are the typed errors of `errors.ts`.
 */
export interface EventStore {
  append(
    stream: string,
    expectedRevision: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendResult>
  /** In revision order; empty for a stream that does not exist. `fromRevision` is inclusive. */
  readStream(stream: string, fromRevision?: number): Promise<readonly StreamEvent[]>
  /** The whole log in position order, page by page, up to what is committed when it is read. */
  readAll(after: Position | null, pageSize?: number): AsyncIterable<readonly StoredEvent[]>
  /** The same the other way: the last event first. What is written meanwhile is not in it. */
  readBackwards(pageSize?: number): AsyncIterable<readonly StoredEvent[]>
  subscribe(options: SubscribeOptions): Promise<void>
  /** The position of the last event, or null for an empty log. */
  lastPosition(): Promise<Position | null>
  /** How many events follow it: for showing how far a reader is, and for nothing that must be exact. */
  countAfter(after: Position | null): Promise<number>
  /**
   * Negative when `a` is before `b`, 0 when equal, positive when after. What another kind of log gave out is before
   * everything: a session may remember it from before the log was moved, and what it wrote came along.
   */
  comparePositions(a: Position, b: Position): number
  /** A UUID that this log alone has: positions of another one, a copy of it included, mean nothing here. */
  identity(): Promise<string>
  close(): Promise<void>
}
