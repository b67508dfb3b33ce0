import type pg from 'pg'
import { assertSourceLog } from '#projections/engine/operate/source-log'
import type { EventStore } from '#services/event-store/event-store'
import { refuseUnfinished } from '#services/event-store/transfer/unfinished-restore'
import type { StartupError } from '#services/foundation/startup-error'
import { applicationNames } from '#services/foundation/application-names'
import { databaseLimits } from '#services/foundation/database-limits'
import { requestConnectionsOf } from '#services/http/admission/work'
import { assertReachable, createPool, type PoolOptions } from '#services/postgres/connect'
import { longestStopMs } from '#services/postgres/embedded-postgres'
import { migrate } from '#services/postgres/migrate'
import { createBrokenConnections } from '#services/postgres/broken-connections'
import { openEventLog } from './open-event-log.ts'
import { startDatabases } from './start-databases.ts'
import type { StartContext } from './start-context.ts'
import { watchSourceLog } from '#projections/engine/operate/watch-source-log'

export interface Storage {
  readonly connectionString: string
  /** Null if this process runs no sandbox. */
  readonly sandboxDatabase: string | null
  /** For the requests of people and webhooks: short statements. */
  readonly pool: pg.Pool
  /** For lists, history, reports and exports, so that they leave connections to short requests. */
  readonly reading: pg.Pool
  /** For work that no person waits for, so that no number of requests stops it. */
  readonly background: pg.Pool
  readonly store: EventStore
  readonly isLogInDatabase: boolean
  /** Resolves with an error if the log was moved and the product must stop. */
  readonly moved: Promise<StartupError>
}

/** Each reactor holds a connection during an effect. Pools connect on demand. */
const backgroundConnections = 12

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
  started.add('databases', databases.stop, longestStopMs)
  signal?.throwIfAborted()
  const onIdleError = createBrokenConnections(log)
  const open = (options: PoolOptions) => {
    const pool = createPool(databases.app, { ...options, onIdleError })
    started.add('database pool', () => pool.end())
    return pool
  }
  const connections = requestConnectionsOf(config)
  const background = open({
    max: backgroundConnections,
    applicationName: applicationNames.background,
    limits: databaseLimits.background,
  })
  const pool = open({ max: connections.requests, limits: databaseLimits.requests })
  const reading = open({
    max: connections.reading,
    applicationName: applicationNames.reading,
    limits: databaseLimits.reading,
  })
  await assertReachable(background)
  await migrate(databases.app)
  await refuseUnfinished(background)
  const { store, isInDatabase } = await openEventLog({
    eventStoreUrl: config.eventStoreUrl,
    connectionString: databases.app,
    pool: background,
    print,
    ...(signal && { signal }),
  })
  started.add('event store', () => store.close())
  const watch = watchSourceLog(background, await assertSourceLog(background, store))
  started.add('watch of the source log', () => watch.close())
  return {
    connectionString: databases.app,
    sandboxDatabase: databases.sandbox,
    pool,
    reading,
    background,
    store: tracing.store(store),
    isLogInDatabase: isInDatabase,
    moved: watch.moved,
  }
}
