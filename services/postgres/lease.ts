import pg from 'pg'
import { createBackoff } from '#services/foundation/backoff'
import { clientOptions, databaseLimits } from '#services/foundation/database-limits'
import { sleep } from '#services/foundation/sleep'
import { z } from 'zod'
import { oneRow } from '#services/foundation/rows'

/**
 * A session advisory lock. The connection that holds the lock also writes, so a process that loses
 * the lock cannot write any more.
 */
export interface Lease {
  readonly connection: pg.Client
  /** Aborts when the connection ends. The server then releases the lock. */
  readonly lost: AbortSignal
  /**
   * Runs a query of one statement between the holder's statements. Null if an earlier one still
   * waits: with more than one waiting statement, `pg` prints a warning.
   */
  beside<Result>(query: (connection: pg.Client) => Promise<Result>): Promise<Result> | null
  /** During `work`, statements have no time limit: `CREATE INDEX` and `VACUUM` can take long. */
  withoutHeartbeatTimeout<Result>(work: () => Promise<Result>): Promise<Result>
  release(): Promise<void>
}

export interface LeaseTimings {
  /**
   * The server closes a connection that is idle for this time: its host has disappeared or its
   * process is frozen.
   */
  readonly silenceMs: number
  /** The interval of the heartbeat query. */
  readonly heartbeatMs: number
  /**
   * The holder closes its connection if the server does not answer a heartbeat within this time.
   */
  readonly unansweredMs: number
}

const projecting: LeaseTimings = { silenceMs: 15_000, heartbeatMs: 4_000, unansweredMs: 60_000 }
/**
 * An operator watches the command, and a statement may wait long for the last reader of an old
 * table.
 */
const operating: LeaseTimings = { ...projecting, unansweredMs: Infinity }
/**
 * Backoff between attempts: takeover is fast after a holder ends, and polling a busy lock stays
 * rare.
 */
const retryLimits = { firstMs: 20, longestMs: 500 }
const closeTimeoutMs = 2_000
const freeLeaseTimeoutMs = 1_000

const lockRow = z.object({ held: z.boolean() })

/** Waits for the lease `key` without limit. Returns null when `signal` aborts first. */
export async function acquireLease(
  connectionString: string,
  key: string,
  signal: AbortSignal,
  timings: LeaseTimings = projecting,
): Promise<Lease | null> {
  const lease = await connect(connectionString, key, timings)
  try {
    const backoff = createBackoff(retryLimits)
    while (!signal.aborted) {
      if (await tryLock(lease.connection, key)) return lease
      await sleep(backoff.next(), signal)
    }
  } catch (error) {
    await lease.release()
    throw error
  }
  await lease.release()
  return null
}

/**
 * Takes `key` as a shared lock, by which processes are counted. The connection has
 * the heartbeat of a lease.
 */
export async function takeSharedLease(connectionString: string, key: string): Promise<Lease> {
  const lease = await connect(connectionString, key, projecting)
  await lockShared(lease.connection, key)
  return lease
}

/** Takes one more shared lock on the connection of a lease. Waits while another session has it. */
export async function lockShared(connection: pg.Client, key: string): Promise<void> {
  await connection.query('SELECT pg_advisory_lock_shared(hashtextextended($1, 0))', [key])
}

/** Releases a shared lock and keeps its connection. */
export async function releaseSharedLease(connection: pg.Client, key: string): Promise<void> {
  await connection.query('SELECT pg_advisory_unlock_shared(hashtextextended($1, 0))', [key])
}

/**
 * Takes the lease `key`. Returns null if it is still held after 1 s, which leaves time for a holder
 * that has just died.
 */
export async function takeFreeLease(connectionString: string, key: string): Promise<Lease | null> {
  return acquireLease(connectionString, key, AbortSignal.timeout(freeLeaseTimeoutMs), operating)
}

/** Takes one more lock on the connection of a lease. Releasing the lease releases this lock too. */
export async function tryLock(connection: pg.Client, key: string): Promise<boolean> {
  const { held } = await oneRow(
    connection,
    lockRow,
    'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held',
    [key],
  )
  return held
}

async function connect(
  connectionString: string,
  key: string,
  timings: LeaseTimings,
): Promise<Lease> {
  const connection = new pg.Client({
    connectionString,
    application_name: key,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    // Statements that are sent at once are on the server at once, and it executes them in this
    // order. Otherwise each of them waits until this process has read the answer to the last one.
    pipeline: true,
    ...clientOptions(databaseLimits.leases),
  })
  const lost = new AbortController()
  connection.on('error', (error) => lost.abort(error))
  connection.on('end', () => lost.abort(new Error('The connection that held the lease has ended.')))
  try {
    await connection.connect()
    // The idle timeouts end the session of a holder that sends nothing. The TCP timeouts end a
    // session to which the server sends without an acknowledgment.
    await connection.query(
      `SET idle_session_timeout = ${timings.silenceMs}; SET idle_in_transaction_session_timeout = ${timings.silenceMs};
       SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 20000`,
    )
    // The server then also detects a closed connection during a statement. Not every platform
    // supports this.
    await connection
      .query('SET client_connection_check_interval = 1000')
      .catch((error: unknown) => {
        if (!(error instanceof pg.DatabaseError)) throw error
      })
  } catch (error) {
    await end(connection)
    throw error
  }
  let timeoutSuspensions = 0
  const { beside, stopBeating } = startHeartbeat(connection, timings, () => timeoutSuspensions > 0)
  lost.signal.addEventListener('abort', stopBeating)
  return {
    connection,
    lost: lost.signal,
    beside,
    async withoutHeartbeatTimeout(work) {
      timeoutSuspensions += 1
      try {
        return await work()
      } finally {
        timeoutSuspensions -= 1
      }
    },
    async release() {
      stopBeating()
      await end(connection)
    },
  }
}

/** Closes the connection. Destroys the socket if the server does not answer within 2 s. */
async function end(connection: pg.Client): Promise<void> {
  const closeTimeout = setTimeout(() => connection.connection.stream.destroy(), closeTimeoutMs)
  // A broken connection holds no lock.
  await connection.end().catch(() => undefined)
  clearTimeout(closeTimeout)
}

/**
 * Queries `SELECT 1` regularly, between the holder's statements. Inside a transaction this changes
 * nothing. Any other query `beside` the holder's statements counts as a heartbeat, too.
 */
function startHeartbeat(
  connection: pg.Client,
  { heartbeatMs, unansweredMs }: LeaseTimings,
  isTimeoutSuspended: () => boolean,
): Pick<Lease, 'beside'> & { stopBeating(): void } {
  let unansweredSince: number | null = null

  const beside: Lease['beside'] = (query) => {
    if (unansweredSince !== null) return null
    unansweredSince = performance.now()
    return query(connection).finally(() => {
      unansweredSince = null
    })
  }

  const timer = setInterval(() => {
    // An error (of a failed transaction) is an answer too. A broken connection emits `error` or
    // `end`.
    beside(() => connection.query('SELECT 1'))?.catch(() => undefined)
    if (unansweredSince === null) return
    if (isTimeoutSuspended()) unansweredSince = performance.now()
    else if (performance.now() - unansweredSince > unansweredMs)
      connection.connection.stream.destroy(
        new Error(`The database did not answer for ${unansweredMs / 1_000} s.`),
      )
  }, heartbeatMs)
  timer.unref()
  return { beside, stopBeating: () => clearInterval(timer) }
}
