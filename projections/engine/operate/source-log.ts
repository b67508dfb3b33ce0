import type { EventStore } from '#services/event-store/event-store'
import { StartupError } from '#services/foundation/startup-error'
import type { Queryable } from '../queryable.ts'

/**
 * Makes sure that the read models of this database were folded from this log, before anything reads or moves their
 * checkpoints: in another log the same positions are other events, and the rows would be wrong without a sign of it.
 * A database that has folded nothing yet follows the log from now on. Gives the log's identity.
 * @throws StartupError
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
      'The read models in this database were built from another event log than the one that EVENTSTORE_URL (or its absence) names, and would show wrong rows. ' +
        "Set EVENTSTORE_URL as it was; or let them go on in a copy of their log: 'billing events copy --switch'; or build them anew from this one: 'billing projections reset'.",
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

/** Which log they follow; null when there is none yet. */
export async function sourceLog(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ log_id: string }>('SELECT log_id FROM projection.source_log')
  return rows[0]?.log_id ?? null
}

/** Forgets where the read models stand: whoever starts next builds them anew, from the log that it has. Skipped events stay recorded. */
export async function forgetCheckpoints(tx: Queryable): Promise<void> {
  await tx.query('DELETE FROM projection.checkpoint')
  await tx.query('DELETE FROM projection.rebuild')
  await tx.query('DELETE FROM projection.rebuild_all')
  await tx.query('DELETE FROM projection.source_log')
}
