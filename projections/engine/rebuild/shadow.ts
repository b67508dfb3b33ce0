import { eventCatalogue } from '#contracts/events/catalogue'
import type { EventDefinitions } from '#contracts/events/define-event'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore, Position, StoredEvent } from '#services/event-store/event-store'
import type { Queryable } from '#services/foundation/queryable'
import { relaxedTransaction } from '#services/postgres/transaction'
import { schemaOf, type ReadModel } from '../read-model.ts'
import { applyBatch, PoisonEvent } from '../run/apply-batch.ts'
import { largestBatch } from '../run/largest-batch.ts'
import type { Lease } from '../run/lease.ts'
import { prepareBatch } from '../run/prepare-batch.ts'
import type { ProjectionLog } from '../run/projection-log.ts'
import { singleShard } from '../run/shard.ts'
import { skippedEvents } from '../run/skipped-events.ts'

/**
 * A copy of a read model in a separate schema that no query reads. `project` fills it from the log.
 * A read model receives only events and a transaction, so folding has no effect except rows.
 */
export interface Shadow {
  readonly connection: Queryable
  readonly model: ReadModel
  readonly schema: string
  readonly store: Pick<EventStore, 'readAll' | 'comparePositions'>
  readonly codec: Pick<EventCodec, 'decode'>
  readonly log: ProjectionLog
  readonly signal: AbortSignal
  readonly maxBatchSize: number
  /** Saves the progress in the transaction that writes the rows. */
  readonly moved: (tx: Queryable, to: ShadowProgress) => Promise<void>
  readonly onEvents: (count: number) => void
  readonly catalogue: EventDefinitions
}

/** What a rebuild and a verification have in common. */
export interface ShadowOptions {
  readonly connectionString: string
  readonly codec: Pick<EventCodec, 'decode'>
  readonly model: ReadModel
  readonly log: ProjectionLog
  /** Ends the work between two batches. */
  readonly signal: AbortSignal
  readonly maxBatchSize?: number
  readonly onEvents?: (count: number) => void
  /** See `ProjectorOptions.catalogue`. */
  readonly catalogue?: EventDefinitions
}

/** A shadow on the connection of the lease. The work ends if the lease is lost. */
export function shadowUnder(
  lease: Lease,
  schema: string,
  options: ShadowOptions & Pick<Shadow, 'store'>,
  moved: Shadow['moved'],
): Shadow {
  const {
    model,
    store,
    codec,
    log,
    maxBatchSize = largestBatch,
    catalogue = eventCatalogue,
  } = options
  return {
    connection: lease.connection,
    model,
    schema,
    store,
    codec,
    log,
    signal: AbortSignal.any([options.signal, lease.lost]),
    maxBatchSize,
    catalogue,
    onEvents: options.onEvents ?? (() => undefined),
    moved,
  }
}

/** How far a shadow is. */
export interface ShadowProgress {
  readonly position: Position | null
  readonly eventsDone: number
  /** Ids of events that an operator has skipped and that still cannot be folded. */
  readonly skippedEventIds: readonly string[]
}

export const noProgress: ShadowProgress = { position: null, eventsDone: 0, skippedEventIds: [] }

const retryDelaysMs = [100, 400]

/** Creates the schema, empty. Drops an existing one. The caller holds the rebuilding lease. */
export async function createShadow(
  connection: Queryable,
  model: ReadModel,
  schema: string,
): Promise<void> {
  await connection.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
  await connection.query(`CREATE SCHEMA ${schema}`)
  await connection.query(model.createTables(schema))
}

/**
 * Folds the events after `from`, up to and including `upTo`, batch by batch. Returns the new
 * progress. Retries skipped events, because this release may be able to fold them.
 * @throws NewerEvent
 * @throws PoisonEvent for an event that cannot be folded and that no operator has skipped
 */
export async function catchUp(
  shadow: Shadow,
  from: ShadowProgress,
  upTo: Position | null,
): Promise<ShadowProgress> {
  let progress = from
  const write = async (events: readonly StoredEvent[], skippedEventIds: readonly string[] = []) => {
    const next = after(progress, events, skippedEventIds)
    const fold = skippedEventIds.length > 0 ? null : await prepare(shadow, events)
    // Relaxed: rows and progress commit together, so a crash only repeats the batch.
    await relaxedTransaction(shadow.connection, async () => {
      await shadow.moved(shadow.connection, next)
      await fold?.(shadow.connection, shadow.schema)
    })
    progress = next
    shadow.onEvents(events.length)
  }
  for await (const batch of batchesUpTo(shadow, from.position, upTo)) {
    for (let rest = batch; rest.length > 0;) {
      shadow.signal.throwIfAborted()
      try {
        await applyBatch(rest, { write, signal: shadow.signal, log: shadow.log, retryDelaysMs })
        rest = []
      } catch (error) {
        if (!(error instanceof PoisonEvent) || !(await wasSkipped(shadow, error.event))) throw error
        // `applyBatch` has written all events before this event.
        await write([error.event], [error.event.id])
        rest = rest.slice(rest.indexOf(error.event) + 1)
      }
    }
  }
  return progress
}

/**
 * Folds the events after `from`, up to and including `upTo`, in the open transaction of the
 * connection. If an event cannot be folded, the transaction fails. `isWanted` excludes events that
 * the live tables do not contain yet.
 */
export async function foldRemainder(
  shadow: Shadow,
  from: ShadowProgress,
  upTo: Position | null,
  isWanted: (event: StoredEvent) => boolean = () => true,
): Promise<ShadowProgress> {
  let progress = from
  for await (const events of batchesUpTo(shadow, from.position, upTo)) {
    const fold = await prepare(shadow, events.filter(isWanted))
    await fold?.(shadow.connection, shadow.schema)
    progress = after(progress, events)
  }
  return progress
}

function prepare({ codec, model, catalogue }: Shadow, events: readonly StoredEvent[]) {
  return prepareBatch(codec, model, events, singleShard, catalogue)
}

async function* batchesUpTo(
  { store, maxBatchSize }: Shadow,
  from: Position | null,
  upTo: Position | null,
): AsyncGenerator<readonly StoredEvent[]> {
  if (upTo === null || (from !== null && store.comparePositions(from, upTo) >= 0)) return
  for await (const page of store.readAll(from, maxBatchSize)) {
    const end = page.findIndex(({ position }) => store.comparePositions(position, upTo) > 0)
    const wanted = end === -1 ? page : page.slice(0, end)
    if (wanted.length > 0) yield wanted
    const last = wanted.at(-1)
    if (end !== -1 || (last && store.comparePositions(last.position, upTo) >= 0)) return
  }
}

function after(
  progress: ShadowProgress,
  events: readonly StoredEvent[],
  skippedEventIds: readonly string[] = [],
): ShadowProgress {
  return {
    position: events.at(-1)?.position ?? progress.position,
    eventsDone: progress.eventsDone + events.length,
    skippedEventIds: [...progress.skippedEventIds, ...skippedEventIds],
  }
}

async function wasSkipped(
  { connection, model, log }: Shadow,
  event: StoredEvent,
): Promise<boolean> {
  const skipped = await skippedEvents(connection, model)
  if (!skipped.some((each) => each.event.id === event.id)) return false
  log.warn(
    { projection: schemaOf(model), event: event.id },
    'A skipped event still cannot be folded; skipping it again.',
  )
  return true
}
