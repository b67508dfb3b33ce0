import type pg from 'pg'
import type { EventLog } from '#services/event-store/event-log'
import { parseConnectionString } from '#services/event-store/eventstoredb/connection-string'
import { createEventStoreDbEventLog } from '#services/event-store/eventstoredb/eventstoredb-event-log'
import { waitUntilReachable } from '#services/event-store/eventstoredb/wait-until-reachable'
import { createPostgresEventLog } from '#services/event-store/postgres/postgres-event-log'

export interface EventLogPlace {
  /** EVENTSTORE_URL; null: the log is in the database. */
  readonly eventStoreUrl: string | null
  readonly connectionString: string
  readonly pool: pg.Pool
  /** Told, once, that the event store is waited for. */
  readonly say: (line: string) => void
  /** Ends the wait for an EventStoreDB. */
  readonly signal?: AbortSignal
}

/**
 * The event log: in EventStoreDB when EVENTSTORE_URL is set, else in PostgreSQL. Waits until an EventStoreDB answers, half a
 * minute at most; the database is known to be there, with this release's migrations. Whoever opens it closes its store.
 * @throws StartupError
 */
export async function openEventLog({
  eventStoreUrl,
  connectionString,
  pool,
  say,
  signal,
}: EventLogPlace): Promise<EventLog> {
  if (eventStoreUrl === null) return createPostgresEventLog({ connectionString, pool })
  await waitUntilReachable(parseConnectionString(eventStoreUrl), { say, ...(signal && { signal }) })
  return createEventStoreDbEventLog({ connectionString: eventStoreUrl })
}
