import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { sourceLog } from '#projections/engine/operate/source-log'
import { StartupError } from '#services/foundation/startup-error'

export interface SourceLogWatch {
  /** Resolves, with what to say, once the read models follow another log: what is written to this one from then on is lost to them. */
  readonly moved: Promise<StartupError>
  close(): Promise<void>
}

/**
 * For a process that was overlooked when the log was moved. It also keeps one connection of the pool in use, by which
 * the move (`refuseWhileRunning`) sees that there is a process which has nothing to do just now.
 */
export function watchSourceLog(pool: pg.Pool, logId: string, everyMs = 3_000): SourceLogWatch {
  const closing = new AbortController()
  let tell: (error: StartupError) => void = () => undefined
  const moved = new Promise<StartupError>((resolve) => (tell = resolve))

  async function watch(): Promise<void> {
    while (!closing.signal.aborted) {
      await sleep(everyMs, undefined, { signal: closing.signal })
      // While the database does not answer, nothing can be moved, and others say so.
      const sourceLogId = await sourceLog(pool).catch(() => null)
      if (sourceLogId === null || sourceLogId === logId) continue
      tell(
        new StartupError(
          'The log was moved: the read models follow another one now. Set EVENTSTORE_URL as the move said, and start again.',
        ),
      )
      return
    }
  }

  // Rejects only with the end of its sleep.
  const watching = watch().catch(() => undefined)
  return {
    moved,
    close() {
      closing.abort()
      return watching
    },
  }
}
