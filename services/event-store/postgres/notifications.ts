import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import pg from 'pg'
import { applicationNames } from '#services/foundation/application-names'
import { createBackoff } from '#services/foundation/backoff'
import { clientOptions, databaseLimits } from '#services/foundation/database-limits'
import { sleep } from '#services/foundation/sleep'
import type { WakeSignal } from '#services/foundation/wake-signal'

const channel = 'event_log'
const pauseBetweenNotifiesMs = 10
const retryLimits = { firstMs: 500, longestMs: 5_000 }

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
      // After a failure, other processes wait one polling interval, so the failure needs no
      // handling here. One statement: if it fails, it leaves no open transaction on a connection
      // that readers share.
      await pool
        .query(
          `SELECT set_config('synchronous_commit', 'off', true), pg_notify('${channel}', '${self}')`,
        )
        .catch(() => undefined)
      await sleep(pauseBetweenNotifiesMs, closing.signal)
    } while (grewMeanwhile && !closing.signal.aborted)
    notifying = null
  }

  async function keepListening() {
    const backoff = createBackoff(retryLimits)
    while (!closing.signal.aborted) {
      await listenUntilLost(() => backoff.reset()).catch(() => undefined)
      await sleep(backoff.next(), closing.signal)
    }
  }

  async function listenUntilLost(onListening: () => void) {
    const client = new pg.Client({
      connectionString,
      application_name: applicationNames.logListener,
      keepAlive: true,
      ...clientOptions(databaseLimits.questions),
    })
    // An `error` event without a listener ends the process. An `end` event follows every error.
    client.on('error', () => undefined)
    client.on('notification', ({ payload }) => {
      if (payload !== self) readers.wake()
    })
    try {
      await client.connect()
      const ended = once(client, 'end', { signal: closing.signal })
      // Readers check at once whether their connections broke, too. Without a connection they retry
      // with their own backoff.
      ended.then(
        () => readers.wake(),
        () => undefined,
      )
      await Promise.race([client.query(`LISTEN ${channel}`), ended])
      onListening()
      readers.wake()
      await ended
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  return {
    announce() {
      grewMeanwhile = true
      notifying ??= notify()
    },
    listen() {
      listening ??= keepListening()
    },
    async close() {
      closing.abort()
      await Promise.all([notifying, listening])
    },
  }
}
