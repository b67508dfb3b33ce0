import { z } from 'zod'
import type { EventStore, Position } from '#services/event-store/event-store'
import { positionColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { durableTransaction } from '#services/postgres/transaction'
import { schemaOf, type ReadModel } from '../read-model.ts'
import { renameParked } from '../park/parked-rows.ts'
import { markFolded } from '../run/skipped-events.ts'
import { foldRemainder, type Shadow, type ShadowProgress } from './shadow.ts'

export interface SwapOptions {
  readonly store: Pick<EventStore, 'comparePositions' | 'countAfter'>
  /** Number of shards from the swap on (default: as before). */
  readonly shards?: number
  /** The largest number of events that the swap folds itself, while the projector waits (1000). */
  readonly maxRemainder?: number
}

const liveRow = z.object({ position: positionColumn.nullable(), schema_exists: z.boolean() })

/** `users_v7__old`: the tables of before the swap, until the last query on them has ended. */
export const oldSchema = (model: Pick<ReadModel, 'name' | 'version'>): string =>
  `${schemaOf(model)}__old`

/** Rolls the swap back: the shadow first has to catch up. */
class ShadowBehind extends Error {
  override readonly name = 'ShadowBehind'
}

/**
 * Makes the shadow the live schema, in one durable transaction: the command reports the rebuild as
 * done. The transaction locks the live checkpoints, so the projector waits. It locks no table, so
 * readers do not wait. PostgreSQL plans prepared statements again, by name. The raised epoch makes
 * the projector take over again and write into the new tables.
 */
export async function swap(
  shadow: Shadow,
  progress: ShadowProgress,
  { store, shards, maxRemainder = 1_000 }: SwapOptions,
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
    // The new tables include every event that the furthest shard has folded, so no reader sees an
    // older state.
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
    await renameParked(connection, schema, live)
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

/**
 * Sets all shards to the position of the shadow. The raised epoch fences off their earlier
 * projectors.
 */
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
