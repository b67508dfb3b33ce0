import type pg from 'pg'
import type { EventLog } from '#services/event-store/event-log'
import { parseConnectionString } from '#services/event-store/eventstoredb/connection-string'
import { createPostgresEventLog } from '#services/event-store/postgres/postgres-event-log'
import type { DatabaseLimits } from '#services/foundation/database-limits'

export interface EventLogPlace {
  /** EVENTSTORE_URL; null: the log is in the database. */
  readonly eventStoreUrl: string | null
  readonly connectionString: string
  readonly pool: pg.Pool
  /** Of a log in PostgreSQL. Default: `databaseLimits.log`. */
  readonly limits?: DatabaseLimits
  /** Receives one line if the start waits for the event store. */
  readonly print: (line: string) => void
  /** Ends the wait for an EventStoreDB. */
  readonly signal?: AbortSignal
}

/**
 * Opens the event log: in EventStoreDB if EVENTSTORE_URL is set, otherwise in PostgreSQL. Waits at
 * most 30 s until EventStoreDB answers. The database must be reachable and migrated. The caller
 * closes the store.
 * @throws StartupError
 */
export async function openEventLog({
  eventStoreUrl,
  connectionString,
  pool,
  limits,
  print,
  signal,
}: EventLogPlace): Promise<EventLog> {
  if (eventStoreUrl === null) return createPostgresEventLog({ connectionString, pool, limits })
  // Loaded on demand: the client of EventStoreDB takes about 0.3 s to load, also for each command.
  const { waitUntilReachable } =
    await import('#services/event-store/eventstoredb/wait-until-reachable')
  const { createEventStoreDbEventLog } =
    await import('#services/event-store/eventstoredb/eventstoredb-event-log')
  await waitUntilReachable(parseConnectionString(eventStoreUrl), {
    print,
    ...(signal && { signal }),
  })
  return createEventStoreDbEventLog({ connectionString: eventStoreUrl })
}
