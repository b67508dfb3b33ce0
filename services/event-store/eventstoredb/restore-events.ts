import { StartupError } from '#services/foundation/startup-error'
import { WrongExpectedRevision } from '../errors.ts'
import type { EventToRestore, RestoreEvents } from '../event-log.ts'
import type { EventStore } from '../event-store.ts'

/** By default a server accepts 1 MiB in one append. */
const maxAppendBytes = 900_000
const maxAppendEvents = 500

/**
 * Sends one append after the other, so that the order of the other log stays. Consecutive events of
 * one stream share an append. A repeated append writes nothing, so a page may be restored twice.
 * @throws StartupError if another process writes to the log
 */
export function createRestoreEvents(store: Pick<EventStore, 'append'>): RestoreEvents {
  return async function restoreEvents(events) {
    for (const run of runsOf(events)) {
      const [first] = run
      if (first === undefined) continue
      const append = store.append(
        first.stream,
        first.revision === 0 ? 'no-stream' : first.revision - 1,
        run.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
      )
      await append.catch((error: unknown) => {
        if (!(error instanceof WrongExpectedRevision)) throw error
        throw new StartupError(
          `The log has other events in '${first.stream}' already: the log was not empty, or the product runs on it. Stop the product and begin with an empty log.`,
        )
      })
    }
  }
}

/** Groups of consecutive events of one stream, each within the limits of one append. */
function* runsOf(events: readonly EventToRestore[]): Generator<readonly EventToRestore[]> {
  let run: EventToRestore[] = []
  let bytes = 0
  for (const event of events) {
    const size =
      Buffer.byteLength(JSON.stringify(event.data)) +
      Buffer.byteLength(JSON.stringify(event.metadata)) +
      2 * event.type.length
    const last = run.at(-1)
    const isNext =
      last !== undefined && last.stream === event.stream && last.revision + 1 === event.revision
    if (
      run.length > 0 &&
      (!isNext || run.length === maxAppendEvents || bytes + size > maxAppendBytes)
    ) {
      yield run
      run = []
      bytes = 0
    }
    run.push(event)
    bytes += size
  }
  if (run.length > 0) yield run
}
