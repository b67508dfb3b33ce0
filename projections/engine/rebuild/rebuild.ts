import type { EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore, Position } from '#services/event-store/event-store'
import type { Queryable } from '../queryable.ts'
import { schemaOf, type ReadModel } from '../read-model.ts'
import { vacuum } from '../run/complete-read-model.ts'
import { delay } from '../run/delay.ts'
import { inTransaction } from '../run/in-transaction.ts'
import { largestBatch } from '../run/largest-batch.ts'
import { rebuildingKey, takeFreeLease, type Lease } from '../run/lease.ts'
import type { ProjectionLog } from '../run/projection-log.ts'
import { markFolded } from '../run/skipped-events.ts'
import {
  catchUp,
  createShadow,
  noProgress,
  foldRemainder,
  type Shadow,
  type ShadowProgress,
} from './shadow.ts'

export interface RebuildOptions {
  readonly connectionString: string
  readonly store: Pick<EventStore, 'readAll' | 'comparePositions' | 'lastPosition' | 'countAfter'>
  readonly codec: Pick<EventCodec, 'decode'>
  readonly model: ReadModel
  readonly log: ProjectionLog
  /** Ends the rebuild between two batches; what was built stays, and the next run goes on there. */
  readonly signal: AbortSignal
  /** Throws away what an earlier run left behind. */
  readonly restart?: boolean
  readonly maxBatchSize?: number
  /** How many parts it is folded in from the swap on; as many as before when left away. */
  readonly shards?: number
  /** How many events may be left for the swap, while the projector waits (1000). */
  readonly maxRemainder?: number
  readonly onStart?: (start: { readonly resumedAfter: number; readonly total: number }) => void
  readonly onEvents?: (count: number) => void
  /** See `ProjectorOptions.takeLease`. */
  readonly takeLease?: () => Promise<Lease | null>
}

/** Somebody else is at it. */
export class RebuildUnderWay extends Error {
  override readonly name = 'RebuildUnderWay'
  constructor(model: ReadModel) {
    super(
      `${schemaOf(model)} is being rebuilt or verified by another process: wait until that is done.`,
    )
  }
}

/** `users_v1__rebuild`: what is being built. */
export const rebuildSchema = (model: Pick<ReadModel, 'name' | 'version'>): string =>
  `${schemaOf(model)}__rebuild`
/** `users_v1__old`: what readers of before the swap still finish with. */
export const oldSchema = (model: Pick<ReadModel, 'name' | 'version'>): string =>
  `${schemaOf(model)}__old`

/**
 * Builds the read model anew out of the log, beside the live tables, while those are read and
 * written; then swaps the two in one transaction. A rebuild that died goes on where it was.
 * @throws RebuildUnderWay, PoisonEvent
 */
export async function rebuild(options: RebuildOptions): Promise<ShadowProgress> {
  const { connectionString, model } = options
  const lease = await (options.takeLease?.() ??
    takeFreeLease(connectionString, rebuildingKey(model)))
  if (!lease) throw new RebuildUnderWay(model)
  try {
    return await rebuildWith(lease, options)
  } finally {
    await lease.release()
  }
}

async function rebuildWith(lease: Lease, options: RebuildOptions): Promise<ShadowProgress> {
  const { connection } = lease
  const {
    model,
    store,
    codec,
    log,
    maxBatchSize = largestBatch,
    onEvents = () => undefined,
  } = options
  const schema = rebuildSchema(model)
  const signal = AbortSignal.any([options.signal, lease.lost])
  const shadow: Shadow = {
    connection,
    model,
    schema,
    store,
    codec,
    log,
    signal,
    maxBatchSize,
    onEvents,
    moved: (tx, to) => saveProgress(tx, model, to),
  }
  await connection.query(`DROP SCHEMA IF EXISTS ${oldSchema(model)} CASCADE`)
  let progress = await begin(connection, model, options.restart ?? false)
  options.onStart?.({
    resumedAfter: progress.eventsDone,
    total: progress.eventsDone + (await store.countAfter(progress.position)),
  })

  progress = await catchUp(shadow, progress, await store.lastPosition())
  await indexOnce(connection, model)
  await vacuum(connection, schema)
  for (;;) {
    progress = await catchUp(shadow, progress, await store.lastPosition())
    const swapped = await swap(shadow, progress, options)
    if (swapped !== 'behind') {
      // Nobody new comes here; whoever still reads finishes first.
      await connection.query(`DROP SCHEMA IF EXISTS ${oldSchema(model)} CASCADE`)
      return swapped
    }
    await delay(10, signal)
    signal.throwIfAborted()
  }
}

/** Where an earlier run was, or a new shadow. Its rows and its standing were written together, so one without the other is started anew. */
async function begin(
  connection: Queryable,
  model: ReadModel,
  restart: boolean,
): Promise<ShadowProgress> {
  const { rows } = await connection.query<{
    position: Position | null
    events_done: string
    skipped_event_ids: string[]
    schema_exists: boolean
  }>(
    'SELECT position, events_done, skipped_event_ids, to_regnamespace($3) IS NOT NULL AS schema_exists FROM projection.rebuild WHERE name = $1 AND version = $2',
    [model.name, model.version, rebuildSchema(model)],
  )
  const [row] = rows
  if (row?.schema_exists && !restart)
    return {
      position: row.position,
      eventsDone: Number(row.events_done),
      skippedEventIds: row.skipped_event_ids,
    }
  await inTransaction(connection, async () => {
    await connection.query('DELETE FROM projection.rebuild WHERE name = $1 AND version = $2', [
      model.name,
      model.version,
    ])
    await connection.query('INSERT INTO projection.rebuild (name, version) VALUES ($1, $2)', [
      model.name,
      model.version,
    ])
    await createShadow(connection, model, rebuildSchema(model))
  })
  return noProgress
}

async function saveProgress(
  tx: Queryable,
  model: ReadModel,
  { position, eventsDone, skippedEventIds }: ShadowProgress,
): Promise<void> {
  await tx.query(
    'UPDATE projection.rebuild SET position = $3, events_done = $4, skipped_event_ids = $5, updated_at = now() WHERE name = $1 AND version = $2',
    [model.name, model.version, position, eventsDone, skippedEventIds],
  )
}

/** A rebuild that goes on after a crash may have its indexes already. */
async function indexOnce(connection: Queryable, model: ReadModel): Promise<void> {
  await inTransaction(connection, async () => {
    const { rows } = await connection.query(
      'UPDATE projection.rebuild SET is_indexed = true WHERE name = $1 AND version = $2 AND NOT is_indexed RETURNING 1',
      [model.name, model.version],
    )
    if (rows.length > 0) await connection.query(model.createIndexes(rebuildSchema(model)))
  })
}

/**
 * The one transaction in which the shadow becomes the live schema. It holds the live checkpoint, so
 * the projector waits; it takes no lock on any table, so readers do not. Prepared statements are
 * planned anew by name. The raised epoch makes the projector take over again, into the new tables.
 */
async function swap(
  shadow: Shadow,
  progress: ShadowProgress,
  { store, shards, maxRemainder = 1_000 }: RebuildOptions,
): Promise<ShadowProgress | 'behind'> {
  const { connection, model, schema } = shadow
  const live = schemaOf(model)
  const id = [model.name, model.version]
  // Unlike a batch, what is told to be done must survive a crash.
  await connection.query('BEGIN')
  try {
    // A version that nobody has projected yet has no row: this one then is its first.
    await connection.query(
      'INSERT INTO projection.checkpoint (name, version) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      id,
    )
    const { rows } = await connection.query<{ position: Position | null; schema_exists: boolean }>(
      'SELECT position, to_regnamespace($3) IS NOT NULL AS schema_exists FROM projection.checkpoint WHERE name = $1 AND version = $2 ORDER BY shard FOR UPDATE',
      [...id, live],
    )
    // Not behind the furthest shard: what readers have seen they go on seeing.
    const target = rows.reduce<Position | null>(
      (furthest, { position }) => (isBehind(furthest, position, store) ? position : furthest),
      null,
    )
    if (
      isBehind(progress.position, target, store) &&
      (await store.countAfter(progress.position)) - (await store.countAfter(target)) > maxRemainder
    ) {
      await connection.query('ROLLBACK')
      return 'behind'
    }
    const last = await foldRemainder(shadow, progress, target).catch(() => null)
    if (last === null) {
      // Catching up meets the same event, and has the means to say which one it is.
      await connection.query('ROLLBACK')
      return 'behind'
    }
    if (rows[0]?.schema_exists)
      await connection.query(`ALTER SCHEMA ${live} RENAME TO ${oldSchema(model)}`)
    await connection.query(`ALTER SCHEMA ${schema} RENAME TO ${live}`)
    await putCheckpoints(connection, model, last, shards ?? rows.length)
    await markFolded(connection, model, last.skippedEventIds)
    await connection.query('DELETE FROM projection.rebuild WHERE name = $1 AND version = $2', id)
    await connection.query(
      'DELETE FROM projection.rebuild_all WHERE name = $1 AND version = $2',
      id,
    )
    await connection.query('COMMIT')
    shadow.onEvents(last.eventsDone - progress.eventsDone)
    return last
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** All shards stand where the shadow does, and whoever held one before is fenced off. */
async function putCheckpoints(
  tx: Queryable,
  { name, version }: ReadModel,
  { position, eventsDone }: ShadowProgress,
  shards: number,
): Promise<void> {
  await tx.query(
    `INSERT INTO projection.checkpoint (name, version, shard, shards, position, events_done, epoch, caught_up_at)
     SELECT $1, $2, part, $3, $4, $5, max(before.epoch) + 1, coalesce(min(before.caught_up_at), now())
     FROM generate_series(0, $3 - 1) AS part, projection.checkpoint AS before WHERE before.name = $1 AND before.version = $2 GROUP BY part
     ON CONFLICT (name, version, shard) DO UPDATE
     SET shards = excluded.shards, position = excluded.position, events_done = excluded.events_done, epoch = excluded.epoch,
         caught_up_at = excluded.caught_up_at, state = 'running', reason = NULL, paused_event = NULL, updated_at = now()`,
    [name, version, shards, position, eventsDone],
  )
  await tx.query(
    'DELETE FROM projection.checkpoint WHERE name = $1 AND version = $2 AND shard >= $3',
    [name, version, shards],
  )
}

function isBehind(
  a: Position | null,
  b: Position | null,
  store: Pick<EventStore, 'comparePositions'>,
): boolean {
  if (b === null) return false
  return a === null || store.comparePositions(a, b) < 0
}
