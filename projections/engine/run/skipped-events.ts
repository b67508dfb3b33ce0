import { z } from 'zod'
import type { Instant } from '#contracts/instant'
import { instantColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import type { ReadModel } from '../read-model.ts'
import { pausedEvent, type PausedEvent } from './checkpoint.ts'

type Identity = Pick<ReadModel, 'name' | 'version'>

export interface SkippedEvent {
  readonly name: string
  readonly version: number
  readonly event: PausedEvent
  readonly reason: string
  readonly skippedBy: string
  readonly skippedAt: Instant
  /**
   * When the tables were built again without the skip. Null while the rows lack the event because
   * of the skip.
   */
  readonly foldedAt: Instant | null
}

const skippedRow = z.object({
  name: z.string(),
  version: z.int(),
  event: pausedEvent,
  reason: z.string(),
  skipped_by: z.string(),
  skipped_at: instantColumn,
  folded_at: instantColumn.nullable(),
})

/** The skipped events of one or all read models, oldest first. */
export async function skippedEvents(
  db: Queryable,
  model?: Identity,
): Promise<readonly SkippedEvent[]> {
  const rows = await allRows(
    db,
    skippedRow,
    `SELECT name, version, reason, skipped_by, skipped_at, folded_at,
       jsonb_build_object('id', event_id, 'type', type, 'stream', stream, 'revision', revision, 'position', position) AS event
     FROM projection.skipped_event WHERE $1::text IS NULL OR (name = $1 AND version = $2) ORDER BY skipped_at`,
    [model?.name ?? null, model?.version ?? null],
  )
  return rows.map(({ name, version, event, reason, skipped_by, skipped_at, folded_at }) => ({
    name,
    version,
    event,
    reason,
    skippedBy: skipped_by,
    skippedAt: skipped_at,
    foldedAt: folded_at,
  }))
}

/** Records that an operator skipped the event, whose folding failed for `reason`. */
export async function recordSkip(
  tx: Queryable,
  model: Identity,
  { id, type, stream, revision, position }: PausedEvent,
  reason: string,
  skippedBy: string,
): Promise<void> {
  await tx.query(
    `INSERT INTO projection.skipped_event (name, version, event_id, type, stream, revision, position, reason, skipped_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (name, version, event_id) DO UPDATE
     SET reason = excluded.reason, skipped_by = excluded.skipped_by, skipped_at = now(), folded_at = NULL`,
    [model.name, model.version, id, type, stream, revision, position, reason, skippedBy],
  )
}

/**
 * Marks skipped events as folded in tables that are built again, except `skippedEventIds`, which a
 * rebuild skipped again.
 */
export async function markFolded(
  tx: Queryable,
  model: Identity,
  skippedEventIds: readonly string[],
): Promise<void> {
  await tx.query(
    `UPDATE projection.skipped_event SET folded_at = CASE WHEN event_id = ANY ($3) THEN NULL ELSE coalesce(folded_at, now()) END
     WHERE name = $1 AND version = $2`,
    [model.name, model.version, skippedEventIds],
  )
}
