import pg from 'pg'
import { delay } from './delay.ts'
import type { ReadModel } from './read-model.ts'

/**
 * The right to project one read model: a session advisory lock. The connection that holds it is the
 * one that writes the rows, so whoever loses the lock has lost the means to write as well.
 */
export interface Lease {
  readonly connection: pg.Client
  /** Aborts when the connection is gone, and the lock with it. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

const retryEveryMs = 500

/** Waits for the lease as long as it takes; null when `signal` aborts first. */
export async function acquireLease(connectionString: string, model: Pick<ReadModel, 'name' | 'version'>, signal: AbortSignal): Promise<Lease | null> {
  const connection = new pg.Client({
    connectionString, application_name: `projector ${model.name}`, keepAlive: true, keepAliveInitialDelayMillis: 5_000, connectionTimeoutMillis: 10_000,
  })
  const lost = new AbortController()
  connection.on('error', (error) => lost.abort(error))
  connection.on('end', () => lost.abort(new Error('The connection that held the lease has ended.')))
  try {
    await connection.connect()
    // Whose host vanishes is noticed by the server within 20 s, and the lock is free.
    await connection.query('SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3')
    while (!signal.aborted) {
      const { rows } = await connection.query<{ held: boolean }>(
        'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held', [`projection ${model.name} v${model.version}`],
      )
      if (rows[0]?.held) return { connection, lost: lost.signal, release: () => connection.end() }
      await delay(retryEveryMs, signal)
    }
  } catch (error) {
    await connection.end().catch(() => undefined)
    throw error
  }
  await connection.end()
  return null
}
