import { z } from 'zod'
import type { EventStore } from '#services/event-store/event-store'
import { integerColumn, positionColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { firstRow } from '#services/foundation/rows'
import { relaxedTransaction } from '#services/postgres/transaction'
import { schemaOf, type ReadModel } from '../read-model.ts'
import { vacuum } from '../run/complete-read-model.ts'
import { sleep } from '#services/foundation/sleep'
import { rebuildingKey } from '../run/lease-keys.ts'
import { takeFreeLease, type Lease } from '#services/postgres/lease'
import {
  catchUp,
  createShadow,
  noProgress,
  shadowUnder,
  type ShadowOptions,
  type ShadowProgress,
} from './shadow.ts'
import { parkedAside } from './parked-aside.ts'
import { oldSchema, swap, type SwapOptions } from './swap.ts'

const progressRow = z.object({
  position: positionColumn.nullable(),
  events_done: integerColumn,
  skipped_event_ids: z.array(z.string()),
  schema_exists: z.boolean(),
})

/** A rebuild that `signal` ended continues with the next run. */
export interface RebuildOptions extends ShadowOptions, SwapOptions {
  readonly store: Pick<EventStore, 'readAll' | 'comparePositions' | 'lastPosition' | 'countAfter'>
  /** Discards the shadow of an earlier run. */
  readonly restart?: boolean
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

/** `users_v7__rebuild`: the shadow that a rebuild fills. */
export const rebuildSchema = (model: Pick<ReadModel, 'name' | 'version'>): string =>
  `${schemaOf(model)}__rebuild`

/**
 * Rebuilds the read model from the log in a separate schema, while the live tables are read and
 * written. Then swaps the two schemas in one transaction. A rebuild after a crash continues from
 * its last batch.
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
  const { connection } = lease
  await connection.query(`DROP SCHEMA IF EXISTS ${oldSchema(model)} CASCADE`)
  let progress = await begin(connection, model, options.restart ?? false)
  const shadow = shadowUnder(
    lease,
    schema,
    options,
    (tx, to) => saveProgress(tx, model, to),
    await parkedAside(connection, model, schema, options.log),
  )
  const { signal } = shadow
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
 * The progress of an earlier run, or a new shadow. Rows and progress commit together, so if one of
 * them is missing, the shadow starts from the first event.
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

/**
 * Creates the indexes unless an earlier run of this rebuild has created them. Relaxed: mark and
 * indexes commit together.
 */
async function indexOnce(connection: Queryable, model: ReadModel): Promise<void> {
  await relaxedTransaction(connection, async () => {
    const { rows } = await connection.query(
      'UPDATE projection.rebuild SET is_indexed = true WHERE name = $1 AND version = $2 AND NOT is_indexed RETURNING 1',
      [model.name, model.version],
    )
    if (rows.length > 0) await connection.query(model.createIndexes(rebuildSchema(model)))
  })
}
