import type { RestoreEvents } from '../event-log.ts'
import { appendInOrder, type OrderedAppends } from './append-in-order.ts'
import { appendRuns } from './append-runs.ts'

/**
 * Appends the events in the order of the other log. A repeated append writes nothing, so a page may
 * be restored twice.
 * @throws StartupError if another process writes to the log, or if the order differs
 */
export function createRestoreEvents(log: OrderedAppends): RestoreEvents {
  return (events) => appendInOrder(log, [...appendRuns(events)])
}
