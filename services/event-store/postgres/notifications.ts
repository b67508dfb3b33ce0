import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { applicationNames } from '#services/foundation/application-names'
import { sleep } from '#services/foundation/sleep'
import type { WakeSignal } from '#services/foundation/wake-signal'
import { keepListening } from '#services/postgres/keep-listening'

const channel = 'event_log'
const pauseBetweenNotifiesMs = 10

export interface Notifications {
  /**
   * Announces a commit to other processes. The caller does not wait: readers without a notification
   * poll.
   */
  announce(): void
  /**
   * Starts to wake `readers` when another process announces a commit, and when the connection opens
   * or breaks. The store itself wakes them after its own commits.
   */
  listen(): void
  close(): Promise<void>
}

/**
 * Notifies other processes that the log has new events. NOTIFY holds a server-wide lock until its
 * transaction ends. It therefore runs in a separate transaction after the commit, at most 100 times
 * a second, with synchronous_commit off. Appends wait for the disk; notifications do not.
 */
export function createNotifications(
  connectionString: string,
  pool: pg.Pool,
  readers: WakeSignal,
): Notifications {
  const self = randomUUID()
  const closing = new AbortController()
  let notifying: Promise<void> | null = null
  let grewMeanwhile = false
  let listening: Promise<void> | null = null

  async function notify() {
    do {
      grewMeanwhile = false
      // One statement: if it fails, it leaves no open transaction on a connection that readers
      // share.
      await pool
        .query(
          `SELECT set_config('synchronous_commit', 'off', true), pg_notify('${channel}', '${self}')`,
        )
        // Other processes then wait one polling interval.
        .catch(() => undefined)
      await sleep(pauseBetweenNotifiesMs, closing.signal)
    } while (grewMeanwhile && !closing.signal.aborted)
    notifying = null
  }

  return {
    announce() {
      grewMeanwhile = true
      notifying ??= notify()
    },
    listen() {
      listening ??= keepListening(
        {
          connectionString,
          channel,
          applicationName: applicationNames.logListener,
          onNotification: (payload) => {
            if (payload !== self) readers.wake()
          },
          // Readers check at once whether their connections broke, too. Without a connection they
          // retry with their own backoff.
          onGap: () => readers.wake(),
        },
        closing.signal,
      )
    },
    async close() {
      closing.abort()
      await Promise.all([notifying, listening])
    },
  }
}
