import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { sourceLog } from './source-log.ts'
import { StartupError } from '#services/foundation/startup-error'

export interface SourceLogWatch {
  /**
   * Resolves with an error when the source log is another log. The read models then do not fold
   * later events of this log.
   */
  readonly moved: Promise<StartupError>
  close(): Promise<void>
}

/**
 * Stops a process that still runs after the log was moved. The watch also keeps one connection of
 * the pool open, by which `refuseWhileRunning` detects an idle process.
 */
export function watchSourceLog(pool: pg.Pool, logId: string, everyMs = 3_000): SourceLogWatch {
  const closing = new AbortController()
  let resolveMoved: (error: StartupError) => void = () => undefined
  const moved = new Promise<StartupError>((resolve) => (resolveMoved = resolve))

  async function watch(): Promise<void> {
    while (!closing.signal.aborted) {
      await sleep(everyMs, undefined, { signal: closing.signal })
      // While the database does not answer, the log cannot be moved. Other parts report the outage.
      const sourceLogId = await sourceLog(pool).catch(() => null)
      if (sourceLogId === null || sourceLogId === logId) continue
      resolveMoved(
        new StartupError(
          "The log was moved: the read models now follow another log. Set EVENTSTORE_URL to that log ('events copy --switch' named it), and start again.",
        ),
      )
      return
    }
  }

  // Rejects only if `close` aborts its sleep.
  const watching = watch().catch(() => undefined)
  return {
    moved,
    close() {
      closing.abort()
      return watching
    },
  }
}
