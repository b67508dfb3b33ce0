import { z } from 'zod'
import type { EventStore } from '#services/event-store/event-store'
import { StartupError } from '#services/foundation/startup-error'
import type { Queryable } from '#services/foundation/queryable'
import { firstRow } from '#services/foundation/rows'

const sourceLogRow = z.object({ log_id: z.string() })

/**
 * Checks that the read models of this database were folded from `log`. Call it before any code
 * reads or moves their checkpoints. In another log the same positions belong to other events, so
 * the rows would be wrong without an error. If no event is folded yet, records `log` as the source
 * log. Returns the log's identity.
 * @throws StartupError if the read models were folded from another log
 */
export async function assertSourceLog(
  db: Queryable,
  log: Pick<EventStore, 'identity'>,
): Promise<string> {
  const logId = await log.identity()
  await recordSourceLogIfNone(db, logId)
  if ((await sourceLog(db)) === logId) return logId
  if (await isAnythingFolded(db)) {
    throw new StartupError(
      'The read models in this database were built from another event log. EVENTSTORE_URL (or its absence) now names a different log, so the pages would show wrong rows. ' +
        "Set EVENTSTORE_URL to its earlier value; or continue in a copy of the earlier log: 'billing events copy --switch'; or rebuild the read models from this log: 'billing projections reset'.",
    )
  }
  await forgetCheckpoints(db)
  await recordSourceLogIfNone(db, logId)
  return logId
}

async function recordSourceLogIfNone(db: Queryable, logId: string): Promise<void> {
  await db.query('INSERT INTO projection.source_log (log_id) VALUES ($1) ON CONFLICT DO NOTHING', [
    logId,
  ])
}

async function isAnythingFolded(db: Queryable): Promise<boolean> {
  const { rows } = await db.query(
    'SELECT 1 FROM projection.checkpoint WHERE position IS NOT NULL UNION ALL SELECT 1 FROM projection.rebuild WHERE position IS NOT NULL LIMIT 1',
  )
  return rows.length > 0
}

/** The identity of the log that the read models were folded from. Null before the first start. */
export async function sourceLog(db: Queryable): Promise<string | null> {
  const row = await firstRow(db, sourceLogRow, 'SELECT log_id FROM projection.source_log')
  return row?.log_id ?? null
}

/**
 * Deletes all checkpoints and the source log. The next start rebuilds the read models from its log.
 * Skipped events stay recorded.
 */
export async function forgetCheckpoints(tx: Queryable): Promise<void> {
  await tx.query('DELETE FROM projection.checkpoint')
  await tx.query('DELETE FROM projection.parked_stream')
  await tx.query('DELETE FROM projection.rebuild')
  await tx.query('DELETE FROM projection.rebuild_all')
  await tx.query('DELETE FROM projection.source_log')
}
