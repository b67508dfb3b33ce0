import type { RecordedEvent, DomainEvent } from '#contracts/events/catalogue'
import type { EventEnvelope } from '#services/event-store/read-envelope'
import type { EventConsumer } from '#services/foundation/event-consumer'
import type { Queryable } from '#services/foundation/queryable'

/** The transaction that writes the rows and the checkpoint. */
type ProjectionTx = Queryable

interface TablesOfEvents {
  /** The schema is `{name}_v{version}`. Raise the version when tables or folding change. */
  readonly name: string
  readonly version: number
  /**
   * Partition key of a stream: events with different keys never touch the same rows. Sums over all
   * keys are allowed, if folding only adds to them and locks them in one order. If an event of a
   * key cannot be folded, the later events of the key wait, and the projector folds the other keys.
   */
  readonly partitionKey: (stream: string) => string
  /**
   * The event types that change how later events of all keys are folded. Such an event has no key:
   * if it cannot be folded, the projection pauses. One projector folds a read model with such
   * types, because the events of two shards have no order.
   */
  readonly concernAll?: ReadonlySet<DomainEvent['type']>
  /**
   * The tables with texts that an erasure removes. The product rewrites their files afterwards
   * (`services/postgres/rewrite-tables.ts`). Default: none.
   */
  readonly personalTables?: readonly string[]
  /** `project` folds the event types that these consumers fold. */
  readonly consumers: readonly EventConsumer[]
  /**
   * DDL of the tables and primary keys that folding needs, all inside `schema` (quoted where
   * needed).
   */
  createTables(schema: string): string
  /**
   * DDL of the indexes that only queries need. The engine runs it after the first catch-up: without
   * indexes, inserts are twice as fast.
   */
  createIndexes(schema: string): string
}

/** `number` is the place of an event in the log: the first event has number 1. */
export type Numbered<Event> = Event & { readonly number: number }

/** A read model that folds decrypted events. Events of other types only move the checkpoint. */
interface EventReadModel extends TablesOfEvents {
  readonly folds?: 'events'
  /**
   * Folds a whole batch with set-based SQL, all inside `schema`. The engine applies each batch
   * exactly once, in the order of the log. Only the events of a key that was parked come later, in
   * a batch of their own: their numbers are lower than those of events that are folded.
   *
   * `tx` is one connection, which executes statements in the order in which they are sent. Those
   * that need no answer of another one are sent with `atOnce`, and never with `Promise.all`: while
   * other read models fold, each answer that is awaited alone costs tens of milliseconds.
   */
  project(
    events: readonly Numbered<RecordedEvent>[],
    tx: ProjectionTx,
    schema: string,
  ): Promise<void>
}

/**
 * A read model that folds every event without its payload: the engine neither decrypts nor parses
 * `data`.
 */
export interface EnvelopeReadModel extends TablesOfEvents {
  readonly folds: 'envelopes'
  /** As `project` of the other read models. */
  project(events: readonly EventEnvelope[], tx: ProjectionTx, schema: string): Promise<void>
}

/**
 * A read model: its tables, and the folding of events into rows. The engine manages schema,
 * checkpoint, lease, batches and rebuild.
 */
export type ReadModel = EventReadModel | EnvelopeReadModel

/** The event types that `project` folds. */
export function handledTypes({
  consumers,
}: Pick<ReadModel, 'consumers'>): ReadonlySet<DomainEvent['type']> {
  return new Set(consumers.flatMap(({ folds }) => [...folds]))
}

/** Whether the events of the read model can be divided among shards. */
export function isDivisible({ concernAll }: Pick<ReadModel, 'concernAll'>): boolean {
  return concernAll === undefined
}

/** `schemaOf(users)` is `users_v7`. */
export function schemaOf(model: Pick<ReadModel, 'name' | 'version'>): string {
  return `${model.name}_v${model.version}`
}
