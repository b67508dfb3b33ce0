import { z } from 'zod'
import type { EventStore, Position } from '#services/event-store/event-store'
import { integerColumn, positionColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow } from '#services/foundation/rows'
import { durableTransaction, relaxedTransaction } from '#services/postgres/transaction'
import { schemaOf, type ReadModel } from '../read-model.ts'
import { vacuum } from '../run/complete-read-model.ts'
import { sleep } from '#services/foundation/sleep'
import { rebuildingKey, takeFreeLease, type Lease } from '../run/lease.ts'
import { markFolded } from '../run/skipped-events.ts'
import {
  catchUp,
  createShadow,
  noProgress,
  foldRemainder,
  shadowUnder,
  type Shadow,
  type ShadowOptions,
  type ShadowProgress,
} from './shadow.ts'

const progressRow = z.object({
  position: positionColumn.nullable(),
  events_done: integerColumn,
  skipped_event_ids: z.array(z.string()),
  schema_exists: z.boolean(),
})
const liveRow = z.object({ position: positionColumn.nullable(), schema_exists: z.boolean() })

/** A rebuild that `signal` ended continues with the next run. */
export interface RebuildOptions extends ShadowOptions {
  readonly store: Pick<EventStore, 'readAll' | 'comparePositions' | 'lastPosition' | 'countAfter'>
  /** Discards the shadow of an earlier run. */
  readonly restart?: boolean
  /** Number of shards from the swap on (default: as before). */
  readonly shards?: number
  /** The largest number of events that the swap folds itself, while the projector waits (1000). */
  readonly maxRemainder?: number
  readonly onStart?: (start: { readonly resumedAfter: number; readonly total: number }) => void
  /** See `ProjectorOptions.takeLease`. */
  readonly takeLease?: () => Promise<Lease | null>
}

/** Another process rebuilds or verifies the read model. */
export class RebuildUnderWay extends Error {
  override readonly name = 'RebuildUnderWay'
  constructor(model: ReadModel) {
    super(
      `${schemaOf(model)} is being rebuilt or verified by another process: wait until that is done.`,
    )
  }
}

/** `users_v1__rebuild`: the shadow that a rebuild fills. */
export const rebuildSchema = (model: Pick<ReadModel, 'name' | 'version'>): string =>
  `${schemaOf(model)}__rebuild`
/** `users_v1__old`: the tables of before the swap, until the last query on them has ended. */
export const oldSchema = (model: Pick<ReadModel, 'name' | 'version'>): string =>
  `${schemaOf(model)}__old`

/**
 * Rebuilds the read model from the log in a separate schema, while the live tables are read and
 * written. Then swaps the two schemas in one transaction. A rebuild after a crash continues from its last batch.
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
  const { model, store } = options
  const schema = rebuildSchema(model)
  const shadow = shadowUnder(lease, schema, options, (tx, to) => saveProgress(tx, model, to))
  const { connection, signal } = shadow
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
      // No new query reads the old schema. DROP waits until the running queries on it have ended.
      await connection.query(`DROP SCHEMA IF EXISTS ${oldSchema(model)} CASCADE`)
      return swapped
    }
    await sleep(10, signal)
    signal.throwIfAborted()
  }
}

/**
 * The progress of an earlier run, or a new shadow. Rows and progress commit together, so if one of them is
 * missing, the shadow starts from the first event.
 */
async function begin(
  connection: Queryable,
  model: ReadModel,
  restart: boolean,
): Promise<ShadowProgress> {
  const row = await firstRow(
    connection,
    progressRow,
    'SELECT position, events_done, skipped_event_ids, to_regnamespace($3) IS NOT NULL AS schema_exists FROM projection.rebuild WHERE name = $1 AND version = $2',
    [model.name, model.version, rebuildSchema(model)],
  )
  if (row?.schema_exists && !restart)
    return {
      position: row.position,
      eventsDone: row.events_done,
      skippedEventIds: row.skipped_event_ids,
    }
  // Relaxed: if a crash loses this commit, the next run creates the shadow again.
  await relaxedTransaction(connection, async () => {
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

/** Creates the indexes unless an earlier run of this rebuild has created them. Relaxed: mark and indexes commit together. */
async function indexOnce(connection: Queryable, model: ReadModel): Promise<void> {
  await relaxedTransaction(connection, async () => {
    const { rows } = await connection.query(
      'UPDATE projection.rebuild SET is_indexed = true WHERE name = $1 AND version = $2 AND NOT is_indexed RETURNING 1',
      [model.name, model.version],
    )
    if (rows.length > 0) await connection.query(model.createIndexes(rebuildSchema(model)))
  })
}

/** Rolls the swap back: the shadow first has to catch up. */
class ShadowBehind extends Error {
  override readonly name = 'ShadowBehind'
}

/**
 * Makes the shadow the live schema, in one durable transaction: the command reports the rebuild as
 * done. The transaction locks the live checkpoints, so the projector waits. It locks no table, so readers
 * do not wait. PostgreSQL plans prepared statements again, by name. The raised epoch makes the projector
 * take over again and write into the new tables.
 */
async function swap(
  shadow: Shadow,
  progress: ShadowProgress,
  { store, shards, maxRemainder = 1_000 }: RebuildOptions,
): Promise<ShadowProgress | 'behind'> {
  const { connection, model, schema } = shadow
  const live = schemaOf(model)
  const id = [model.name, model.version]
  const swapped = durableTransaction(connection, async () => {
    // A version that no projector has started has no row. This row is then its first.
    await connection.query(
      'INSERT INTO projection.checkpoint (name, version) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      id,
    )
    const rows = await allRows(
      connection,
      liveRow,
      'SELECT position, to_regnamespace($3) IS NOT NULL AS schema_exists FROM projection.checkpoint WHERE name = $1 AND version = $2 ORDER BY shard FOR UPDATE',
      [...id, live],
    )
    // The new tables include every event that the furthest shard has folded, so no reader sees an older state.
    const target = rows.reduce<Position | null>(
      (furthest, { position }) => (isBehind(furthest, position, store) ? position : furthest),
      null,
    )
    if (
      isBehind(progress.position, target, store) &&
      (await store.countAfter(progress.position)) - (await store.countAfter(target)) > maxRemainder
    )
      throw new ShadowBehind()
    const last = await foldRemainder(shadow, progress, target).catch(() => {
      // The next catch-up folds the same events one by one and reports the event that fails.
      throw new ShadowBehind()
    })
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
    return last
  })
  const last = await swapped.catch((error: unknown) => {
    if (error instanceof ShadowBehind) return 'behind' as const
    throw error
  })
  if (last !== 'behind') shadow.onEvents(last.eventsDone - progress.eventsDone)
  return last
}

/** Sets all shards to the position of the shadow. The raised epoch fences off their earlier projectors. */
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
