import type { RecordedEvent } from '#contracts/events/catalogue'
import type { Position } from '#services/event-store/event-store'
import type { Queryable } from '../queryable.ts'
import type { ReadModel } from '../read-model.ts'
import { singleShard, type Shard } from './shard.ts'

/** Where a projection, or a shard of one, stands. `epoch` is the right to write: whoever holds an older one has lost it. */
export interface Checkpoint {
  readonly position: Position | null
  readonly epoch: string
  readonly caughtUp: boolean
}

/** Names the event that could not be folded, for whoever has to look it up. */
export type PausedEvent = Pick<RecordedEvent, 'id' | 'type' | 'stream' | 'revision' | 'position'>

/** Somebody else has taken over, or a rebuild has swapped the tables: this projector must start again. */
export class FencedOff extends Error {
  override readonly name = 'FencedOff'
  constructor(model: Pick<ReadModel, 'name' | 'version'>) {
    super(
      `Another projector has taken over '${model.name}' version ${model.version}; nothing was written.`,
    )
  }
}

type Identity = Pick<ReadModel, 'name' | 'version'>

/** The rows of a read model were divided otherwise meanwhile: this shard is no more. */
export class ShardsChanged extends Error {
  override readonly name = 'ShardsChanged'
  constructor(model: Identity) {
    super(`'${model.name}' version ${model.version} is now divided into another number of shards.`)
  }
}

/**
 * Raises the epoch, which fences off every earlier holder, and tells where to go on.
 * @throws ShardsChanged
 */
export async function takeOver(
  db: Queryable,
  model: Identity,
  shard: Shard = singleShard,
): Promise<Checkpoint> {
  const { rows } = await db.query<{ position: Position | null; epoch: string; caught_up: boolean }>(
    `UPDATE projection.checkpoint SET epoch = epoch + 1, updated_at = now() WHERE name = $1 AND version = $2 AND shard = $3 AND shards = $4
     RETURNING position, epoch, caught_up_at IS NOT NULL AS caught_up`,
    [model.name, model.version, shard.index, shard.of],
  )
  const row = rows[0]
  if (!row) throw new ShardsChanged(model)
  return { position: row.position, epoch: row.epoch, caughtUp: row.caught_up }
}

/**
 * Moves the checkpoint within the rows' transaction, and ends a pause. Locks the row, so that a
 * takeover or a swap waits for this batch, or this batch finds itself fenced off (`FencedOff`).
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

/** Keeps everybody else from taking over until the transaction ends. @throws FencedOff when somebody has. */
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

/** Stops one projection where it stands, with the reason for everybody to see. */
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

/** False once an operator has let a paused projection go on. */
export async function isPaused(db: Queryable, model: Identity, shard: Shard): Promise<boolean> {
  const { rows } = await db.query<{ state: string }>(
    'SELECT state FROM projection.checkpoint WHERE name = $1 AND version = $2 AND shard = $3',
    [model.name, model.version, shard.index],
  )
  return rows[0]?.state === 'paused'
}
