import { once } from 'node:events'
import pg from 'pg'
import type { WakeSignal } from './wake-signal.ts'

const channel = 'event_log'
const pauseBetweenNotifies = 10
const pauseBeforeReconnect = 500

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
export function createNotifications(connectionString: string, pool: pg.Pool, readers: WakeSignal): Notifications {
  const closing = new AbortController()
  let notifying: Promise<void> | null = null
  let grewMeanwhile = false
  let listening: Promise<void> | null = null

  async function notify() {
    do {
      grewMeanwhile = false
      // A failure costs other processes one polling interval, and tells this one nothing that it must do.
      // One statement: when it fails, no half a transaction stays behind on a connection that others read by.
      await pool.query(`SELECT set_config('synchronous_commit', 'off', true), pg_notify('${channel}', '')`).catch(() => undefined)
      await pause(pauseBetweenNotifies)
    } while (grewMeanwhile && !closing.signal.aborted)
    notifying = null
  }

  async function keepListening() {
    while (!closing.signal.aborted) {
      await listenUntilLost().catch(() => undefined)
      // Readers look at once whether they are cut off too.
      readers.wake()
      await pause(pauseBeforeReconnect)
    }
  }

  async function listenUntilLost() {
    const client = new pg.Client({ connectionString, application_name: 'billing event log listener', keepAlive: true, connectionTimeoutMillis: 10_000 })
    // 'end' follows every error; without a listener the error would end this process.
    client.on('error', () => undefined)
    client.on('notification', () => readers.wake())
    try {
      await client.connect()
      const ended = once(client, 'end', { signal: closing.signal })
      await Promise.race([client.query(`LISTEN ${channel}`), ended])
      readers.wake()
      await ended
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        closing.signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, milliseconds)
      closing.signal.addEventListener('abort', end)
      if (closing.signal.aborted) end()
    })
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
