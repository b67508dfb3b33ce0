import type { EventStore } from '#services/event-store/event-store'
import { neededRelease } from '#services/event-store/newer-release'
import { newestNewer } from '#services/event-store/newest-newer'
import { release } from '#services/foundation/release'
import { showProgress } from './progress.ts'
import { print } from './print.ts'

type Log = Pick<EventStore, 'readBackwards' | 'countAfter'>

/** Events that this release does not know. */
export const unknownEvents = `The log has events that release ${release} does not know`

/**
 * The release that can build the read models: `release 99.1.0 or a newer one`. Null if this release
 * knows all events of the log.
 */
export async function releaseOfLog(store: Log): Promise<string | null> {
  const progress = showProgress({
    doing: 'Looking for events of a newer release',
    unit: 'events',
    total: await store.countAfter(null),
  })
  const newer = await newestNewer(store, progress.advance).finally(progress.end)
  return newer === null ? null : neededRelease(newer)
}

/** Prints which release must start on a restored or imported log, if this release cannot. */
export async function printReleaseOfLog(store: Log): Promise<void> {
  const needed = await releaseOfLog(store)
  if (needed !== null)
    print(
      `${unknownEvents}: start ${needed}. A start of this release is not ready until that release has built the read models.\n`,
    )
}
