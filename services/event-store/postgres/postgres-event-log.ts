import type pg from 'pg'
import type { DatabaseLimits } from '#services/foundation/database-limits'
import { StartupError } from '#services/foundation/startup-error'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import { errorCode } from '#services/foundation/error-code'
import type { EventLog } from '../event-log.ts'
import { logStatistics } from './log-statistics.ts'
import { createPostgresEventStore } from './postgres-event-store.ts'
import { lockWriters, openForRestore, replaceEvents, restoreEvents } from './restore-events.ts'

/** The log in a PostgreSQL database. `pool` connects to the same database as `connectionString`. */
export function createPostgresEventLog({
  connectionString,
  pool,
  limits,
}: {
  readonly connectionString: string
  readonly pool: pg.Pool
  /** Of the store's connections. Default: `databaseLimits.log`. */
  readonly limits?: DatabaseLimits | undefined
}): EventLog {
  return {
    store: createPostgresEventStore({ connectionString, ...(limits && { limits }) }),
    isInDatabase: true,
    statistics: () => logStatistics(pool),
    async openForRestore(tx) {
      await openForRestore(tx)
      return (events) => restoreEvents(tx, events)
    },
    restore: (events) =>
      onConnectionOf(pool, durableTransaction, async (tx) => {
        await lockWriters(tx)
        await restoreEvents(tx, events)
      }).catch((error: unknown) => {
        if (errorCode(error) !== '23505') throw error
        throw new StartupError(
          'The log already has one of these events: the product runs on it, or another copy is in progress. Stop the other process and run the command again.',
          { cause: error },
        )
      }),
    replace: (events) =>
      onConnectionOf(pool, durableTransaction, async (tx) => {
        await lockWriters(tx)
        await replaceEvents(tx, events)
      }),
  }
}
