import type pg from 'pg'
import { assertSourceLog } from '#projections/engine/operate/source-log'
import type { EventStore } from '#services/event-store/event-store'
import type { StartupError } from '#services/foundation/startup-error'
import { assertReachable, createPool } from '#services/postgres/connect'
import { migrate } from '#services/postgres/migrate'
import { openEventLog } from './open-event-log.ts'
import { startDatabases } from './start-databases.ts'
import type { StartContext } from './start-context.ts'
import { watchSourceLog } from './watch-source-log.ts'

export interface Storage {
  readonly connectionString: string
  /** Null if this process runs no sandbox. */
  readonly sandboxDatabase: string | null
  readonly pool: pg.Pool
  readonly store: EventStore
  readonly isLogInDatabase: boolean
  /** Resolves with an error if the log was moved and the product must stop. */
  readonly moved: Promise<StartupError>
}

/**
 * Connects to the database and to the event log, and migrates the database.
 * @throws StartupError if one of them cannot be used
 */
export async function openStorage({
  config,
  log,
  started,
  tracing,
  print,
  signal,
}: StartContext): Promise<Storage> {
  const databases = await startDatabases(config, print)
  started.add('databases', databases.stop)
  signal?.throwIfAborted()
  const pool = createPool(databases.app, {
    max: 20,
    onIdleError: (error) =>
      log.warn({ err: error }, 'A database connection broke; the pool replaces it.'),
  })
  started.add('database pool', () => pool.end())
  await assertReachable(pool)
  await migrate(databases.app)
  const { store, isInDatabase } = await openEventLog({
    eventStoreUrl: config.eventStoreUrl,
    connectionString: databases.app,
    pool,
    print,
    ...(signal && { signal }),
  })
  started.add('event store', () => store.close())
  const watch = watchSourceLog(pool, await assertSourceLog(pool, store))
  started.add('watch of the source log', () => watch.close())
  return {
    connectionString: databases.app,
    sandboxDatabase: databases.sandbox,
    pool,
    store: tracing.store(store),
    isLogInDatabase: isInDatabase,
    moved: watch.moved,
  }
}
