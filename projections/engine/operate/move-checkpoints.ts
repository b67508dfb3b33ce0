import { z } from 'zod'
import type { Position } from '#services/event-store/event-store'
import { positionColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'

const positionRow = z.object({ position: positionColumn })

/**
 * Every position that the projections of a database need to continue: of checkpoints, paused and
 * parked events, and rebuilds.
 */
export async function rememberedPositions(tx: Queryable): Promise<readonly Position[]> {
  const rows = await allRows(
    tx,
    positionRow,
    `SELECT position FROM projection.checkpoint WHERE position IS NOT NULL
     UNION SELECT paused_event->>'position' FROM projection.checkpoint WHERE paused_event IS NOT NULL
     UNION SELECT event->>'position' FROM projection.parked_stream
     UNION SELECT position FROM projection.parked_event
     UNION SELECT position FROM projection.rebuild WHERE position IS NOT NULL`,
  )
  return rows.map(({ position }) => position)
}

/**
 * Replaces each stored position by the position of the same event in another log: `moved` maps old
 * to new. Raises the epochs, so that a projector that still reads the old log can write nothing.
 * Records `logId` as the source log.
 */
export async function moveCheckpoints(
  tx: Queryable,
  moved: ReadonlyMap<Position, Position>,
  logId: string,
): Promise<void> {
  const pairs = [[...moved.keys()], [...moved.values()]]
  const map = 'unnest($1::text[], $2::text[]) AS moved (before, after)'
  await tx.query(
    `UPDATE projection.checkpoint SET paused_event = jsonb_set(paused_event, '{position}', to_jsonb(moved.after))
     FROM ${map} WHERE paused_event->>'position' = moved.before`,
    pairs,
  )
  await tx.query(
    `UPDATE projection.checkpoint SET position = moved.after, updated_at = now() FROM ${map} WHERE position = moved.before`,
    pairs,
  )
  await tx.query('UPDATE projection.checkpoint SET epoch = epoch + 1')
  await tx.query(
    `UPDATE projection.rebuild SET position = moved.after FROM ${map} WHERE position = moved.before`,
    pairs,
  )
  await tx.query(
    `UPDATE projection.parked_stream SET event = jsonb_set(event, '{position}', to_jsonb(moved.after))
     FROM ${map} WHERE event->>'position' = moved.before`,
    pairs,
  )
  await tx.query(
    `UPDATE projection.parked_event SET position = moved.after FROM ${map} WHERE position = moved.before`,
    pairs,
  )
  // Skips without an entry in `moved` keep the old position. Their id, stream and revision are
  // valid in both logs.
  await tx.query(
    `UPDATE projection.skipped_event SET position = moved.after FROM ${map} WHERE position = moved.before`,
    pairs,
  )
  await tx.query(
    'INSERT INTO projection.source_log (log_id) VALUES ($1) ON CONFLICT (only_row) DO UPDATE SET log_id = excluded.log_id, since = now()',
    [logId],
  )
}
