import { once } from 'node:events'
import pg from 'pg'
import { growingPauses } from '#services/foundation/growing-pauses'
import { sleep } from '#services/foundation/repeat'
import type { WakeSignal } from './wake-signal.ts'

const channel = 'event_log'
const pauseBetweenNotifies = 10
const retryLimits = { firstMs: 500, longestMs: 5_000 }

export interface Notifications {
  /** Something was committed. Not awaited: a reader that is not told polls. */
  announce(): void
  /** From now on `readers` wakes when any process announces, and when the connection comes or goes. */
  listen(): void
  close(): Promise<void>
}

/**
 * Tells other processes that the log has grown. NOTIFY takes a lock of the whole server until its
 * transaction ends, so it is a transaction of its own after the commit, a hundred times a second at most,
 * which does not wait for the disk: appends do.
 */
export function createNotifications(
  connectionString: string,
  pool: pg.Pool,
  readers: WakeSignal,
): Notifications {
  const closing = new AbortController()
  let notifying: Promise<void> | null = null
  let grewMeanwhile = false
  let listening: Promise<void> | null = null

  async function notify() {
    do {
      grewMeanwhile = false
      // A failure costs other processes one polling interval, and tells this one nothing that it must do.
      // One statement: when it fails, no half a transaction stays behind on a connection that others read by.
      await pool
        .query(`SELECT set_config('synchronous_commit', 'off', true), pg_notify('${channel}', '')`)
        .catch(() => undefined)
      await sleep(pauseBetweenNotifies, closing.signal)
    } while (grewMeanwhile && !closing.signal.aborted)
    notifying = null
  }

  async function keepListening() {
    const pauses = growingPauses(retryLimits)
    while (!closing.signal.aborted) {
      await listenUntilLost(() => pauses.reset()).catch(() => undefined)
      await sleep(pauses.next(), closing.signal)
    }
  }

  async function listenUntilLost(onListening: () => void) {
    const client = new pg.Client({
      connectionString,
      application_name: 'billing event log listener',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    })
    // 'end' follows every error; without a listener the error would end this process.
    client.on('error', () => undefined)
    client.on('notification', () => readers.wake())
    try {
      await client.connect()
      const ended = once(client, 'end', { signal: closing.signal })
      // Readers look at once whether they are cut off too. While there is no connection, they retry in their own pauses.
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
