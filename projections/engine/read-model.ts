import type { RecordedEvent, DomainEvent } from '#contracts/events/catalogue'
import type { Queryable } from './queryable.ts'

/** The transaction that holds the rows and the checkpoint together. */
export type ProjectionTx = Queryable

/**
 * A read model: its tables, and how events become rows. The engine owns schema, checkpoint,
 * lease, batching and rebuild; a read model only folds.
 */
export interface ReadModel {
  /** The schema is `{name}_v{version}`: raise the version when tables or folding change. */
  readonly name: string
  readonly version: number
  /**
   * What of a stream's name several projectors share the work by: folding an event touches no row that an
   * event of another key reads. Sums over all are no such rows if they are only added to, in one order.
   * Without it, one projector folds it all.
   */
  readonly partitionKey?: (stream: string) => string
  /** Types it folds; others only move its checkpoint. */
  readonly handles: ReadonlySet<DomainEvent['type']>
  /** DDL of its tables with their primary keys, all inside `schema` (already quoted where needed): what folding needs. */
  createTables(schema: string): string
  /** DDL of what only its readers need. It comes once the log is folded: rows that are added to no index are added twice as fast. */
  createIndexes(schema: string): string
  /** Folds a whole batch with set-based SQL, all inside `schema`. Idempotence is the engine's: a batch is applied once. */
  project(events: readonly RecordedEvent[], tx: ProjectionTx, schema: string): Promise<void>
}

/** `schemaOf(users)` is `users_v1`: the one place where the name is made. */
export function schemaOf(model: Pick<ReadModel, 'name' | 'version'>): string {
  return `${model.name}_v${model.version}`
}
