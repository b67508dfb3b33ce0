import type { EventLog } from '#services/event-store/event-log'
import type { StoredEvent } from '#services/event-store/event-store'
import { createEventStoreDbEventLog } from '#services/event-store/eventstoredb/eventstoredb-event-log'
import { createPostgresEventLog } from '#services/event-store/postgres/postgres-event-log'
import { createTestDatabase, type TestDatabase } from '../postgres/database.ts'
import { ownLogOn } from './event-store-url.ts'

/** A separate log, as the source or the target of a copy. */
export interface LogPlace extends EventLog {
  /** The address as an operator writes it. */
  readonly url: string
  /** Null on EventStoreDB. */
  readonly database: TestDatabase | null
  remove(): Promise<void>
}

export async function onPostgres(): Promise<LogPlace> {
  const database = await createTestDatabase()
  // Test databases are copies of one template, so their logs have the same identity. This log needs
  // another one.
  await database.pool.query('UPDATE log.identity SET id = gen_random_uuid()')
  // Positions do not start at 1, as in a log that has been in use.
  await database.pool.query(
    `SELECT setval(pg_get_serial_sequence('log.event', 'position'), 1 + floor(random() * 100000)::bigint)`,
  )
  const log = createPostgresEventLog(database)
  return {
    ...log,
    url: database.connectionString,
    database,
    remove: async () => {
      await log.store.close()
      await database.drop()
    },
  }
}

export function onEventStoreDb(server: string): Promise<LogPlace> {
  const url = ownLogOn(server)
  const log = createEventStoreDbEventLog({ connectionString: url })
  // The events of a test stay on the server, because the log is append-only.
  return Promise.resolve({ ...log, url, database: null, remove: () => log.store.close() })
}

export async function everythingIn({
  store,
}: Pick<EventLog, 'store'>): Promise<readonly Omit<StoredEvent, 'position'>[]> {
  const all: Omit<StoredEvent, 'position'>[] = []
  for await (const page of store.readAll(null)) {
    for (const { id, type, stream, revision, data, metadata } of page)
      all.push({ id, type, stream, revision, data, metadata })
  }
  return all
}
