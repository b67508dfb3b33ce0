import type { Instant } from '#contracts/instant'
import type { Queryable } from '../queryable.ts'
import { schemaOf, type ReadModel } from '../read-model.ts'
import type { PausedEvent } from './checkpoint.ts'
import { inTransaction } from './in-transaction.ts'

type Identity = Pick<ReadModel, 'name' | 'version'>

export interface SkippedEvent {
  readonly name: string
  readonly version: number
  readonly event: PausedEvent
  readonly reason: string
  readonly skippedBy: string
  readonly skippedAt: Instant
  /** When a rebuild could fold it after all; null while the rows lack it. */
  readonly foldedAt: Instant | null
}

/** Nothing was skipped; the message says why. */
export class CannotSkip extends Error {
  override readonly name = 'CannotSkip'
}

/**
 * Lets a paused projection go on after the event at which it stands, and records that. The epoch
 * rises, so that a projector which is trying that very event again writes nothing of it.
 * @throws CannotSkip when it is not paused, or paused at another event than the one named.
 */
export async function skipEvent(connection: Queryable, model: Identity, eventId: string, skippedBy: string): Promise<PausedEvent> {
  return inTransaction(connection, async () => {
    const { rows } = await connection.query<{ shard: number; state: string; reason: string; paused_event: PausedEvent }>(
      'SELECT shard, state, reason, paused_event FROM projection.checkpoint WHERE name = $1 AND version = $2 ORDER BY shard FOR UPDATE', [model.name, model.version],
    )
    if (rows.length === 0) throw new CannotSkip(`There is no projection ${schemaOf(model)} on this database.`)
    const paused = rows.filter(({ state }) => state === 'paused')
    const row = paused.find(({ paused_event }) => paused_event.id === eventId) ?? paused[0]
    if (!row) throw new CannotSkip(`${schemaOf(model)} is not paused: there is nothing to skip.`)
    const { id, type, stream, revision, position } = row.paused_event
    if (id !== eventId) throw new CannotSkip(`${schemaOf(model)} is paused at event ${id} (${type}, ${stream}, revision ${revision}), not at ${eventId}.`)
    await connection.query(
      `INSERT INTO projection.skipped_event (name, version, event_id, type, stream, revision, position, reason, skipped_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (name, version, event_id) DO UPDATE
       SET reason = excluded.reason, skipped_by = excluded.skipped_by, skipped_at = now(), folded_at = NULL`,
      [model.name, model.version, id, type, stream, revision, position, row.reason, skippedBy],
    )
    await connection.query(
      `UPDATE projection.checkpoint SET position = $4, events_done = events_done + 1, epoch = epoch + 1,
         state = 'running', reason = NULL, paused_event = NULL, updated_at = now()
       WHERE name = $1 AND version = $2 AND shard = $3`,
      [model.name, model.version, row.shard, position],
    )
    return row.paused_event
  })
}

/** What was skipped on this database, oldest first; of one read model, or of all. */
export async function skippedEvents(db: Queryable, model?: Identity): Promise<readonly SkippedEvent[]> {
  const { rows } = await db.query<{
    name: string; version: number; event: PausedEvent; reason: string; skipped_by: string; skipped_at: Date; folded_at: Date | null
  }>(
    `SELECT name, version, reason, skipped_by, skipped_at, folded_at,
       jsonb_build_object('id', event_id, 'type', type, 'stream', stream, 'revision', revision, 'position', position) AS event
     FROM projection.skipped_event WHERE $1::text IS NULL OR (name = $1 AND version = $2) ORDER BY skipped_at`,
    [model?.name ?? null, model?.version ?? null],
  )
  return rows.map(({ name, version, event, reason, skipped_by, skipped_at, folded_at }) => ({
    name, version, event, reason, skippedBy: skipped_by, skippedAt: skipped_at.toISOString(), foldedAt: folded_at?.toISOString() ?? null,
  }))
}

/** After a rebuild: of what was skipped, only `passedOver` is still lacking. */
export async function markFolded(tx: Queryable, model: Identity, passedOver: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE projection.skipped_event SET folded_at = CASE WHEN event_id = ANY ($3) THEN NULL ELSE coalesce(folded_at, now()) END
     WHERE name = $1 AND version = $2`,
    [model.name, model.version, passedOver],
  )
}
