import type { Queryable } from '#services/foundation/queryable'
import { StartupError } from '#services/foundation/startup-error'
import type { EventToRestore } from '../event-log.ts'
import type { StoredEvent } from '../event-store.ts'
import { invalidationText, streamCacheChannel } from '../stream-cache-invalidations.ts'

/**
 * Takes the append lock until the transaction ends, as log.append does, so that position order is
 * commit order. Migration 0051 has its key.
 */
export async function lockWriters(tx: Queryable): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(log.append_lock())')
}

/**
 * Takes the append lock and checks that the log is empty.
 * @throws StartupError
 */
export async function openForRestore(tx: Queryable): Promise<void> {
  await lockWriters(tx)
  const { rows } = await tx.query('SELECT 1 FROM log.event LIMIT 1')
  if (rows.length > 0)
    throw new StartupError(
      'The event log has events already. Restore into an empty log: another database, or another DATA_DIR.',
    )
}

/** Appends one page of events in their order. This transaction must hold the append lock. */
export async function restoreEvents(
  tx: Queryable,
  events: readonly EventToRestore[],
): Promise<void> {
  await tx.query({
    name: 'restore-events',
    text: `INSERT INTO log.event (stream, revision, id, type, data, metadata)
      SELECT stream, revision, id, type, data, metadata
      FROM unnest($1::text[], $2::integer[], $3::uuid[], $4::text[],
          ARRAY(SELECT json_array_elements($5::json)), ARRAY(SELECT json_array_elements($6::json)))
        WITH ORDINALITY AS e (stream, revision, id, type, data, metadata, place) ORDER BY place`,
    values: [
      events.map(({ stream }) => stream),
      events.map(({ revision }) => revision),
      events.map(({ id }) => id),
      events.map(({ type }) => type),
      // One text: in an array, each quote of a JSON text is escaped.
      JSON.stringify(events.map(({ data }) => data)),
      JSON.stringify(events.map(({ metadata }) => metadata)),
    ],
  })
}

/**
 * Replaces events at their positions, although the log is append-only: the caller has proved that
 * they are the originals. This transaction must hold the append lock.
 * @throws StartupError if an event is not at its position
 */
export async function replaceEvents(tx: Queryable, events: readonly StoredEvent[]): Promise<void> {
  await tx.query('ALTER TABLE log.event DISABLE TRIGGER only_grows')
  for (const { position, stream, revision, id, type, data, metadata } of events) {
    const { rows } = await tx.query(
      `UPDATE log.event SET id = $4, type = $5, data = $6, metadata = $7
       WHERE position = $1 AND stream = $2 AND revision = $3 RETURNING 1`,
      [position, stream, revision, id, type, JSON.stringify(data), JSON.stringify(metadata)],
    )
    if (rows.length === 0)
      throw new StartupError(
        `The log has no event at revision ${revision} of '${stream}' any more. Nothing was repaired: run the command again.`,
      )
  }
  await tx.query('ALTER TABLE log.event ENABLE TRIGGER only_grows')
  await tx.query('SELECT pg_notify($1, $2)', [
    streamCacheChannel,
    invalidationText({ kind: 'repaired' }),
  ])
}
