import type pg from 'pg'
import { inTransaction } from '../../postgres/in-transaction.ts'
import type { EventLog } from '../event-log.ts'
import { logStatistics } from './log-statistics.ts'
import { createPostgresEventStore } from './postgres-event-store.ts'
import { openForRestore, restoreEvents } from './restore-events.ts'

/** The log in a PostgreSQL database that `pool` leads to, too. */
export function createPostgresEventLog({ connectionString, pool }: { readonly connectionString: string; readonly pool: pg.Pool }): EventLog {
  return {
    store: createPostgresEventStore({ connectionString }),
    isInDatabase: true,
    statistics: () => logStatistics(pool),
    async openForRestore(tx) {
      await openForRestore(tx)
      return (events) => restoreEvents(tx, events)
    },
    restore: (events) => inTransaction(pool, async (tx) => {
      // As log.append does (migration 0001): positions are drawn in the order of commits.
      await tx.query('SELECT pg_advisory_xact_lock(7311142570156650343)')
      await restoreEvents(tx, events)
    }),
  }
}
