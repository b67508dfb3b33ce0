import type { EventLog } from '../event-log.ts'
import {
  createEventStoreDbEventStore,
  type EventStoreDbOptions,
} from './eventstoredb-event-store.ts'
import { logStatistics } from './log-statistics.ts'
import { createRestoreEvents } from './restore-events.ts'
import { resumeRestore } from './resume-restore.ts'

/** @throws StartupError for a connection string that cannot be used */
export function createEventStoreDbEventLog(options: EventStoreDbOptions): EventLog {
  const store = createEventStoreDbEventStore(options)
  const restore = createRestoreEvents(store)
  return {
    store,
    isInDatabase: false,
    statistics: (onEvents = () => undefined) => logStatistics(store, onEvents),
    // It knows no transaction, so what an earlier run has brought stays.
    openForRestore: () => Promise.resolve(resumeRestore(store, restore)),
    restore,
  }
}
