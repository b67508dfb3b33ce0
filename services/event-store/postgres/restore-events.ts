import type { Queryable } from '#services/foundation/queryable'
import { StartupError } from '#services/foundation/startup-error'
import type { EventToRestore } from '../event-log.ts'

/**
 * Takes the append lock until the transaction ends, as log.append does (migration 0001), so that
 * position order is commit order.
 */
export async function lockWriters(tx: Queryable): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(7311142570156650343)')
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
      FROM unnest($1::text[], $2::integer[], $3::uuid[], $4::text[], $5::json[], $6::json[])
        WITH ORDINALITY AS e (stream, revision, id, type, data, metadata, place) ORDER BY place`,
    values: [
      events.map(({ stream }) => stream),
      events.map(({ revision }) => revision),
      events.map(({ id }) => id),
      events.map(({ type }) => type),
      events.map(({ data }) => JSON.stringify(data)),
      events.map(({ metadata }) => JSON.stringify(metadata)),
    ],
  })
}
