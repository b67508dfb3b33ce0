import type { Queryable } from '#services/foundation/queryable'
import type { EventStore, StoredEvent } from './event-store.ts'

export interface LogStatistics {
  readonly events: number
  readonly streams: number
  /**
   * PostgreSQL: size of the table and its indexes. EventStoreDB: size of its file up to the last
   * event.
   */
  readonly bytes: number
  /** recordedAt of the first and the last event; null for an empty log. */
  readonly firstRecordedAt: string | null
  readonly lastRecordedAt: string | null
  /** Most frequent type first. `bytes` counts data and metadata as JSON. */
  readonly types: readonly {
    readonly type: string
    readonly events: number
    readonly bytes: number
  }[]
  /** Number of streams by stream category, the most frequent category first. */
  readonly categories: readonly { readonly category: string; readonly streams: number }[]
}

/** An event of another log. Everything but its position is kept; the order of events stays. */
export type EventToRestore = Omit<StoredEvent, 'position'>

/**
 * Appends events of another log after the last event, in their order. Ids, streams and revisions
 * stay.
 */
export type RestoreEvents = (events: readonly EventToRestore[]) => Promise<void>

/** Writes other content to events at their positions. */
type ReplaceEvents = (events: readonly StoredEvent[]) => Promise<void>

/** The event store port, and operations on the whole log for operators' commands. */
export interface EventLog {
  readonly store: EventStore
  /**
   * Whether the log is a table of the product's database, and so part of its snapshots and
   * transactions.
   */
  readonly isInDatabase: boolean
  /** Reads and counts the whole log. `onEvents` receives the number of events of each page. */
  statistics(onEvents?: (count: number) => void): Promise<LogStatistics>
  /**
   * Prepares a restore into a log that no other process uses. `tx` is the transaction of the
   * restore. A log in the database must be empty and is written within `tx`, all or nothing.
   * EventStoreDB has no transaction: the log may have the events of an interrupted run, which are
   * skipped. `beforeWrite` runs before the first event that stays without a commit of `tx`. Commit
   * `tx` last.
   * @throws StartupError if the log has other events
   */
  openForRestore(tx: Queryable, beforeWrite: () => Promise<void>): Promise<RestoreEvents>
  /**
   * Writes one page durably. After an interruption the caller resumes after the log's last event.
   */
  readonly restore: RestoreEvents
  /**
   * Repairs damaged events: all or none of them. Null: the store never changes an event.
   * @throws StartupError if the log has no event at the position, stream and revision
   */
  readonly replace: ReplaceEvents | null
}
