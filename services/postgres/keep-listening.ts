import { once } from 'node:events'
import pg from 'pg'
import type { ApplicationName } from '#services/foundation/application-names'
import { createBackoff } from '#services/foundation/backoff'
import { clientOptions, databaseLimits } from '#services/foundation/database-limits'
import { sleep } from '#services/foundation/sleep'

const retryLimits = { firstMs: 500, longestMs: 5_000 }

interface Listening {
  readonly connectionString: string
  readonly channel: 'event_log' | 'ended_session' | 'stream_cache'
  readonly applicationName: ApplicationName
  readonly onNotification: (payload: string) => void
  /** Called when the connection listens, and when it breaks: notifications can have been missed. */
  readonly onGap: () => void
}

/**
 * Listens to a channel of PostgreSQL until `signal` aborts, on a separate connection that is opened
 * again with backoff. Never rejects. A failure needs no handling: callers also poll.
 */
export async function keepListening(listening: Listening, signal: AbortSignal): Promise<void> {
  const backoff = createBackoff(retryLimits)
  while (!signal.aborted) {
    // Listens again.
    await listenUntilLost(listening, signal, () => backoff.reset()).catch(() => undefined)
    await sleep(backoff.next(), signal)
  }
}

async function listenUntilLost(
  { connectionString, channel, applicationName, onNotification, onGap }: Listening,
  signal: AbortSignal,
  onListening: () => void,
): Promise<void> {
  const client = new pg.Client({
    connectionString,
    application_name: applicationName,
    keepAlive: true,
    ...clientOptions(databaseLimits.questions),
  })
  // An `error` event without a listener ends the process. An `end` event follows every error.
  client.on('error', () => undefined)
  client.on('notification', ({ payload = '' }) => onNotification(payload))
  try {
    await client.connect()
    const ended = once(client, 'end', { signal })
    ended.then(onGap, () => undefined)
    await Promise.race([client.query(`LISTEN ${channel}`), ended])
    onListening()
    onGap()
    await ended
  } finally {
    await client.end().catch(() => undefined)
  }
}
