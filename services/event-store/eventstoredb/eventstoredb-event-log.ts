import type { EventLog, RestoreEvents } from '../event-log.ts'
import { appendInOrder } from './append-in-order.ts'
import { appendRuns } from './append-runs.ts'
import {
  createEventStoreDbEventStore,
  type EventStoreDbOptions,
} from './eventstoredb-event-store.ts'
import { logStatistics } from './log-statistics.ts'
import { resumeRestore } from './resume-restore.ts'

/** @throws StartupError for an invalid connection string */
export function createEventStoreDbEventLog(options: EventStoreDbOptions): EventLog {
  const store = createEventStoreDbEventStore(options)
  // A repeated append writes nothing, so a page may be restored twice.
  const restore: RestoreEvents = (events) => appendInOrder(store, [...appendRuns(events)])
  return {
    store,
    isInDatabase: false,
    statistics: (onEvents = () => undefined) => logStatistics(store, onEvents),
    // EventStoreDB has no transaction over several streams, so the events of an interrupted restore
    // stay.
    openForRestore(_tx, beforeWrite) {
      let marked: Promise<void> | undefined
      return Promise.resolve(
        resumeRestore(store, async (events) => {
          await (marked ??= beforeWrite())
          await restore(events)
        }),
      )
    },
    restore,
    replace: null,
  }
}
