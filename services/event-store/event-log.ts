import type { ClientBase } from 'pg'
import type { EventStore, StoredEvent } from './event-store.ts'

export interface LogStatistics {
  readonly events: number
  readonly streams: number
  /** Table and indexes; of an EventStoreDB, its file up to the last event. */
  readonly bytes: number
  /** When the first and the last event were recorded; null for an empty log. */
  readonly firstRecordedAt: string | null
  readonly lastRecordedAt: string | null
  /** Most frequent first. Bytes of data and metadata as JSON. */
  readonly types: readonly {
    readonly type: string
    readonly events: number
    readonly bytes: number
  }[]
  /** Streams by what stands before the first hyphen, most frequent first. */
  readonly categories: readonly { readonly category: string; readonly streams: number }[]
}

/** An event of another log: it keeps all but its position, of which it keeps the order. */
export type EventToRestore = Omit<StoredEvent, 'position'>

/** Appends events of another log behind the last one, in their order; ids, streams and revisions stay. */
export type RestoreEvents = (events: readonly EventToRestore[]) => Promise<void>

/** A log as an operator has it: the port that the product works with, and what is done to a log as a whole. */
export interface EventLog {
  readonly store: EventStore
  /** Whether it is a table of the database, and so in its snapshots and transactions. */
  readonly isInDatabase: boolean
  /** Counts the whole log, as it is now. */
  statistics(onEvents?: (count: number) => void): Promise<LogStatistics>
  /**
   * For a log that is filled while nothing else uses it. `tx` holds what is restored with it: a log in the database goes
   * with it, all or nothing, and must be empty. Another log may also have what an earlier run has brought, and is brought
   * the rest; then let `tx` be committed last.
   * @throws StartupError when the log has other events
   */
  openForRestore(tx: ClientBase): Promise<RestoreEvents>
  /** For a log that is filled page by page, each for good once it resolves: who stops halfway goes on behind the last event. */
  readonly restore: RestoreEvents
}
