import { z } from 'zod'
import type { Position } from '#services/event-store/event-store'
import { integerColumn, positionColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { firstRow } from '#services/foundation/rows'
import type { ReadModel } from '../read-model.ts'
import { singleShard, type Shard } from './shard.ts'

/**
 * The progress of a projection or shard. `epoch` is the fencing token: a projector with an older
 * epoch can write nothing.
 */
export interface Checkpoint {
  readonly position: Position | null
  /** The number of events up to the position. */
  readonly eventsDone: number
  readonly epoch: string
  readonly caughtUp: boolean
}

/** Identifies the event that could not be folded, so that the operator can find it. */
export const pausedEvent = z.object({
  id: z.string(),
  type: z.string(),
  stream: z.string(),
  revision: z.int(),
  position: positionColumn,
})
export type PausedEvent = Readonly<z.infer<typeof pausedEvent>>

export const checkpointState = z.enum(['running', 'paused'])

const takenOverRow = z.object({
  position: positionColumn.nullable(),
  events_done: integerColumn,
  /** A bigint that only the database computes with. */
  epoch: z.string(),
  caught_up: z.boolean(),
})
const stateRow = z.object({ state: checkpointState })

/**
 * Another projector has taken over, or a rebuild has swapped the tables. This projector must
 * restart.
 */
export class FencedOff extends Error {
  override readonly name = 'FencedOff'
  constructor(model: Pick<ReadModel, 'name' | 'version'>) {
    super(
      `Another projector has taken over '${model.name}' version ${model.version}; nothing was written.`,
    )
  }
}

type Identity = Pick<ReadModel, 'name' | 'version'>

/** A rebuild has changed the number of shards, so this shard no longer exists. */
export class ShardsChanged extends Error {
  override readonly name = 'ShardsChanged'
  constructor(model: Identity) {
    super(`'${model.name}' version ${model.version} now has another number of shards.`)
  }
}

/**
 * Raises the epoch, which fences off every earlier projector. Returns the checkpoint to continue
 * from.
 * @throws ShardsChanged
 */
export async function takeOver(
  db: Queryable,
  model: Identity,
  shard: Shard = singleShard,
): Promise<Checkpoint> {
  const row = await firstRow(
    db,
    takenOverRow,
    `UPDATE projection.checkpoint SET epoch = epoch + 1, updated_at = now() WHERE name = $1 AND version = $2 AND shard = $3 AND shards = $4
     RETURNING position, events_done, epoch, caught_up_at IS NOT NULL AS caught_up`,
    [model.name, model.version, shard.index, shard.of],
  )
  if (!row) throw new ShardsChanged(model)
  return {
    position: row.position,
    eventsDone: row.events_done,
    epoch: row.epoch,
    caughtUp: row.caught_up,
  }
}

/**
 * Moves the checkpoint in the transaction that writes the rows, and ends a pause. Locks the
 * checkpoint row: a concurrent takeover or swap waits for this batch.
 * @throws FencedOff if a takeover or swap came first
 */
export async function advance(
  tx: Queryable,
  model: Identity,
  shard: Shard,
  epoch: string,
  to: { position: Position; events: number },
): Promise<void> {
  const { rows } = await tx.query(
    `UPDATE projection.checkpoint
     SET position = $5, events_done = events_done + $6, state = 'running', reason = NULL, paused_event = NULL, updated_at = now()
     WHERE name = $1 AND version = $2 AND shard = $3 AND epoch = $4 RETURNING 1`,
    [model.name, model.version, shard.index, epoch, to.position, to.events],
  )
  if (rows.length === 0) throw new FencedOff(model)
}

/**
 * As `advance`, for a batch without rows, in one statement: most read models fold none of the
 * events of an import. Relaxed, as the transactions that write rows. @throws FencedOff
 */
export async function advanceOnly(
  db: Queryable,
  model: Identity,
  shard: Shard,
  epoch: string,
  to: { position: Position; events: number },
): Promise<void> {
  const { rows } = await db.query(
    `WITH relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS is)
     UPDATE projection.checkpoint
     SET position = $5, events_done = events_done + $6, state = 'running', reason = NULL, paused_event = NULL, updated_at = now()
     FROM relaxed
     WHERE name = $1 AND version = $2 AND shard = $3 AND epoch = $4 AND relaxed.is = 'off' RETURNING 1`,
    [model.name, model.version, shard.index, epoch, to.position, to.events],
  )
  if (rows.length === 0) throw new FencedOff(model)
}

/**
 * Prevents a takeover until the transaction ends. @throws FencedOff if another projector has taken
 * over.
 */
export async function assertHolds(
  tx: Queryable,
  model: Identity,
  shard: Shard,
  epoch: string,
): Promise<void> {
  const { rows } = await tx.query(
    'SELECT 1 FROM projection.checkpoint WHERE name = $1 AND version = $2 AND shard = $3 AND epoch = $4 FOR UPDATE',
    [model.name, model.version, shard.index, epoch],
  )
  if (rows.length === 0) throw new FencedOff(model)
}

/**
 * Pauses one projection or shard, and records the reason for status and metrics. @throws FencedOff
 */
export async function pause(
  db: Queryable,
  model: Identity,
  shard: Shard,
  epoch: string,
  reason: string,
  event: PausedEvent,
): Promise<void> {
  const { rows } = await db.query(
    `UPDATE projection.checkpoint SET state = 'paused', reason = $5, paused_event = $6, updated_at = now()
     WHERE name = $1 AND version = $2 AND shard = $3 AND epoch = $4 RETURNING 1`,
    [model.name, model.version, shard.index, epoch, reason, JSON.stringify(event)],
  )
  if (rows.length === 0) throw new FencedOff(model)
}

/** False as soon as an operator has resumed the paused projection. */
export async function isPaused(db: Queryable, model: Identity, shard: Shard): Promise<boolean> {
  const row = await firstRow(
    db,
    stateRow,
    'SELECT state FROM projection.checkpoint WHERE name = $1 AND version = $2 AND shard = $3',
    [model.name, model.version, shard.index],
  )
  return row?.state === 'paused'
}
