import pg from 'pg'
import type { ReadModel } from '../read-model.ts'
import { delay } from './delay.ts'

/**
 * The right to do one thing: a session advisory lock. The connection that holds it is the one that
 * writes, so whoever loses the lock has lost the means to write as well.
 */
export interface Lease {
  readonly connection: pg.Client
  /** Aborts when the connection is gone, and the lock with it. */
  readonly lost: AbortSignal
  /** During `work` a statement may take as long as it takes: somebody's index is made, or a table is vacuumed. */
  withoutHeartbeatTimeout<Result>(work: () => Promise<Result>): Promise<Result>
  release(): Promise<void>
}

export interface LeaseTimings {
  /** The server ends a holder that says nothing for so long: its host vanished, or its process is frozen. */
  readonly silenceMs: number
  /** How often a holder that has nothing to do says that it is there. */
  readonly heartbeatMs: number
  /** A holder whose word is not answered for so long gives up by itself. */
  readonly unansweredMs: number
}

const projecting: LeaseTimings = { silenceMs: 15_000, heartbeatMs: 4_000, unansweredMs: 60_000 }
/** Every statement may take long (waiting for the last reader of an old table): somebody is watching. */
const operating: LeaseTimings = { ...projecting, unansweredMs: Infinity }
/** A holder that has just gone is followed quickly; one that stays is not asked for all the time. */
const firstRetryMs = 20
const longestRetryMs = 500
const goodbyeMs = 2_000
const freeLeaseTimeoutMs = 1_000

type Identity = Pick<ReadModel, 'name' | 'version'>

/** What the one projector of a read model, or of a shard of it, holds. */
export const projectingKey = ({ name, version }: Identity, shard = 0): string =>
  `projection ${name} v${version}${shard === 0 ? '' : ` shard ${shard}`}`
/** What all that share the shards of a read model hold together. */
export const sharingKey = ({ name, version }: Identity): string => `projectors ${name} v${version}`
/** What the one rebuild or verification of a read model holds. */
export const rebuildingKey = ({ name, version }: Identity): string => `rebuild ${name} v${version}`

/** Waits for the lease `key` as long as it takes; null when `signal` aborts first. */
export async function acquireLease(
  connectionString: string,
  key: string,
  signal: AbortSignal,
  timings: LeaseTimings = projecting,
): Promise<Lease | null> {
  const lease = await connect(connectionString, key, timings)
  try {
    for (let ms = firstRetryMs; !signal.aborted; ms = Math.min(ms * 2, longestRetryMs)) {
      if (await tryLock(lease.connection, key)) return lease
      await delay(ms, signal)
    }
  } catch (error) {
    await lease.release()
    throw error
  }
  await lease.release()
  return null
}

/** Holds `key` together with whoever else does, to be counted: a connection that is watched as a lease's is. */
export async function joinUnder(connectionString: string, key: string): Promise<Lease> {
  const lease = await connect(connectionString, key, projecting)
  await lease.connection.query('SELECT pg_advisory_lock_shared(hashtextextended($1, 0))', [key])
  return lease
}

/** The lease `key` if nobody holds it, else null. Waits a moment for a holder that has just died. */
export async function takeFreeLease(connectionString: string, key: string): Promise<Lease | null> {
  return acquireLease(connectionString, key, AbortSignal.timeout(freeLeaseTimeoutMs), operating)
}

/** One more key for the connection of a lease; it is given back with the lease. */
export async function tryLock(connection: pg.Client, key: string): Promise<boolean> {
  const { rows } = await connection.query<{ held: boolean }>(
    'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held',
    [key],
  )
  return rows[0]?.held === true
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
    connectionTimeoutMillis: 10_000,
  })
  const lost = new AbortController()
  connection.on('error', (error) => lost.abort(error))
  connection.on('end', () => lost.abort(new Error('The connection that held the lease has ended.')))
  try {
    await connection.connect()
    // The silence limits cover a holder that waits; the TCP ones a server that is sending to nobody.
    await connection.query(
      `SET idle_session_timeout = ${timings.silenceMs}; SET idle_in_transaction_session_timeout = ${timings.silenceMs};
       SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 20000`,
    )
    // A holder that dies while the server works for it is noticed then, too. Not every platform can.
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
  const stopBeating = startHeartbeat(connection, timings, () => timeoutSuspensions > 0)
  lost.signal.addEventListener('abort', stopBeating)
  return {
    connection,
    lost: lost.signal,
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

/** Says goodbye, and does not wait for an answer from a server that gives none. */
async function end(connection: pg.Client): Promise<void> {
  const giveUp = setTimeout(() => connection.connection.stream.destroy(), goodbyeMs)
  // A connection that is already broken holds nothing.
  await connection.end().catch(() => undefined)
  clearTimeout(giveUp)
}

/** Goes out between the holder's own statements, inside a transaction too, where it changes nothing. */
function startHeartbeat(
  connection: pg.Client,
  { heartbeatMs, unansweredMs }: LeaseTimings,
  isTimeoutSuspended: () => boolean,
): () => void {
  let unansweredSince: number | null = null
  const timer = setInterval(() => {
    if (unansweredSince !== null) {
      if (isTimeoutSuspended()) unansweredSince = performance.now()
      else if (performance.now() - unansweredSince > unansweredMs) {
        connection.connection.stream.destroy(
          new Error(`The database did not answer for ${unansweredMs / 1_000} s.`),
        )
      }
      return
    }
    unansweredSince = performance.now()
    // A refusal (in a transaction that has failed) is an answer; a broken connection says so by its events.
    const answered = () => {
      unansweredSince = null
    }
    connection.query('SELECT 1').then(answered, answered)
  }, heartbeatMs)
  timer.unref()
  return () => clearInterval(timer)
}
