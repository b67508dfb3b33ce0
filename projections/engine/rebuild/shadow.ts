import { eventCatalogue } from '#contracts/events/catalogue'
import type { EventDefinitions } from '#contracts/events/define-event'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore, Position, StoredEvent } from '#services/event-store/event-store'
import { atOnce } from '#services/foundation/at-once'
import type { Queryable } from '#services/foundation/queryable'
import { relaxedTransaction } from '#services/postgres/transaction'
import { schemaOf, type Numbered, type ReadModel } from '../read-model.ts'
import { applyOrPark } from '../park/apply-or-park.ts'
import { forgetParked } from '../park/parked-rows.ts'
import type { DividedBatch } from '../park/parking.ts'
import type { PoisonEvent } from '../run/apply-batch.ts'
import { largestBatch } from '../run/largest-batch.ts'
import { numbered } from '../run/numbered.ts'
import type { Lease } from '#services/postgres/lease'
import { isFolded, prepareBatch } from '../run/prepare-batch.ts'
import type { ProjectionLog } from '../run/projection-log.ts'
import { singleShard } from '../run/shard.ts'
import { skippedEvents } from '../run/skipped-events.ts'
import { refuseNewerOnce } from './refuse-newer-once.ts'

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
  /** What is not folded: the parked streams of a rebuild, or those of the verified tables. */
  readonly aside: Aside
}

/** The events that a shadow does not fold. */
export interface Aside {
  divide(events: readonly Numbered<StoredEvent>[]): DividedBatch
  /** Saves `behind`, in the transaction that saves the progress. */
  keep(tx: Queryable, behind: readonly Numbered<StoredEvent>[]): Promise<void>
  /**
   * Parks the stream of the poison event with this number: `moved` saves the progress past the
   * event. False if the event must end the work.
   */
  park(
    poison: PoisonEvent,
    number: number,
    moved: (tx: Queryable) => Promise<void>,
  ): Promise<boolean>
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
  aside: Aside,
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
    aside,
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
  await forgetParked(connection, [schema])
}

/**
 * Folds the events after `from`, up to and including `upTo`, batch by batch. Returns the new
 * progress. Retries skipped events, because this release may be able to fold them.
 * @throws NewerEvent
 * @throws PoisonEvent for an event that cannot be folded, was not skipped and cannot be parked
 */
export async function catchUp(
  shadow: Shadow,
  from: ShadowProgress,
  upTo: Position | null,
): Promise<ShadowProgress> {
  const { connection, aside, signal, log } = shadow
  const isOurs = isFolded(shadow.model, singleShard, shadow.catalogue)
  let progress = from
  const moveTo = (next: ShadowProgress, events: number) => {
    progress = next
    shadow.onEvents(events)
  }
  const write = async (events: readonly StoredEvent[]) => {
    const next = after(progress, events)
    const { folded, behind } = aside.divide(numbered(events, progress.eventsDone, isOurs))
    refuseNewerOnce(events, behind, shadow.catalogue)
    const fold = await prepare(shadow, folded)
    // Relaxed: rows and progress commit together, so a crash only repeats the batch.
    await relaxedTransaction(connection, async () => {
      await atOnce(
        () => shadow.moved(connection, next),
        () => aside.keep(connection, behind),
        async () => fold?.(connection, shadow.schema),
      )
    })
    moveTo(next, events.length)
  }
  const skip = async (poison: PoisonEvent) => {
    const isSkipped = await wasSkipped(shadow, poison.event)
    const next = after(progress, [poison.event], isSkipped ? [poison.event.id] : [])
    if (isSkipped) await relaxedTransaction(connection, () => shadow.moved(connection, next))
    else if (!(await aside.park(poison, next.eventsDone, (tx) => shadow.moved(tx, next))))
      return false
    moveTo(next, 1)
    return true
  }
  for await (const batch of batchesUpTo(shadow, from.position, upTo)) {
    signal.throwIfAborted()
    await applyOrPark(batch, { write, skip, signal, log, retryDelaysMs })
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
    const { folded, behind } = shadow.aside.divide(
      numbered(events, progress.eventsDone).filter(isWanted),
    )
    const fold = await prepare(shadow, folded)
    await shadow.aside.keep(shadow.connection, behind)
    await fold?.(shadow.connection, shadow.schema)
    progress = after(progress, events)
  }
  return progress
}

function prepare({ codec, model, catalogue }: Shadow, events: readonly Numbered<StoredEvent>[]) {
  return prepareBatch(codec, model, events, singleShard, catalogue)
}

async function* batchesUpTo(
  { store, maxBatchSize }: Shadow,
  from: Position | null,
  upTo: Position | null,
): AsyncGenerator<readonly StoredEvent[]> {
  if (upTo === null || (from !== null && store.comparePositions(from, upTo) >= 0)) return
  for await (const page of store.readAll(from, maxBatchSize)) {
    const last = page.at(-1)
    const order = last === undefined ? -1 : store.comparePositions(last.position, upTo)
    // Only the last page is compared event by event.
    const wanted =
      order > 0 ? page.filter(({ position }) => store.comparePositions(position, upTo) <= 0) : page
    if (wanted.length > 0) yield wanted
    if (order >= 0) return
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
