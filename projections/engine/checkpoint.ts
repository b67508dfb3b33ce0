import type { RecordedEvent } from '#contracts/events/catalogue'
import type { Position } from '#services/event-store/event-store'
import type { ReadModel } from './read-model.ts'
import type { Queryable } from './queryable.ts'

/** Where a projection stands. `epoch` is the right to write: whoever holds an older one has lost it. */
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
    super(`Another projector has taken over '${model.name}' version ${model.version}; nothing was written.`)
  }
}

type Identity = Pick<ReadModel, 'name' | 'version'>

/** Raises the epoch, which fences off every earlier holder, and tells where to go on. */
export async function takeOver(db: Queryable, model: Identity): Promise<Checkpoint> {
  const { rows } = await db.query<{ position: Position | null; epoch: string; caught_up: boolean }>(
    `UPDATE projection.checkpoint SET epoch = epoch + 1, updated_at = now() WHERE name = $1 AND version = $2
     RETURNING position, epoch, caught_up_at IS NOT NULL AS caught_up`,
    [model.name, model.version],
  )
  const row = rows[0]
  if (!row) throw new Error(`The checkpoint of '${model.name}' version ${model.version} is gone. Start the projector again: it builds the read model anew.`)
  return { position: row.position, epoch: row.epoch, caughtUp: row.caught_up }
}

/**
 * Moves the checkpoint within the rows' transaction, and ends a pause. Locks the row, so that a
 * takeover or a swap waits for this batch, or this batch finds itself fenced off (`FencedOff`).
 */
export async function advance(
  tx: Queryable, model: Identity, epoch: string, to: { position: Position; events: number },
): Promise<void> {
  const { rows } = await tx.query(
    `UPDATE projection.checkpoint
     SET position = $4, events_done = events_done + $5, state = 'running', reason = NULL, paused_event = NULL, updated_at = now()
     WHERE name = $1 AND version = $2 AND epoch = $3 RETURNING 1`,
    [model.name, model.version, epoch, to.position, to.events],
  )
  if (rows.length === 0) throw new FencedOff(model)
}

/** Keeps everybody else from taking over until the transaction ends. @throws FencedOff when somebody has. */
export async function assertHolds(tx: Queryable, model: Identity, epoch: string): Promise<void> {
  const { rows } = await tx.query('SELECT 1 FROM projection.checkpoint WHERE name = $1 AND version = $2 AND epoch = $3 FOR UPDATE', [model.name, model.version, epoch])
  if (rows.length === 0) throw new FencedOff(model)
}

/** Stops one projection where it stands, with the reason for everybody to see. */
export async function pause(db: Queryable, model: Identity, epoch: string, reason: string, event: PausedEvent): Promise<void> {
  const { rows } = await db.query(
    `UPDATE projection.checkpoint SET state = 'paused', reason = $4, paused_event = $5, updated_at = now()
     WHERE name = $1 AND version = $2 AND epoch = $3 RETURNING 1`,
    [model.name, model.version, epoch, reason, JSON.stringify(event)],
  )
  if (rows.length === 0) throw new FencedOff(model)
}

/** False once an operator has let a paused projection go on. */
export async function isPaused(db: Queryable, model: Identity): Promise<boolean> {
  const { rows } = await db.query<{ state: string }>(
    'SELECT state FROM projection.checkpoint WHERE name = $1 AND version = $2', [model.name, model.version],
  )
  return rows[0]?.state === 'paused'
}
