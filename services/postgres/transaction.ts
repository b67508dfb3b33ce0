import type pg from 'pg'
import type { Queryable } from '#services/foundation/queryable'
import { isUnanswered } from './unavailable.ts'

/**
 * One connection. A pool may send the statements of a transaction to different connections: see
 * `onConnectionOf`.
 */
interface Connection {
  query(sql: string): Promise<unknown>
}

// DATABASE_URL, the role or the database may set a value that does not wait for the disk.
// `remote_apply` waits for more than `on`.
const beginDurable = `BEGIN; SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')`
const beginTurn = `${beginDurable}; SET LOCAL idle_in_transaction_session_timeout = '2min'`

/**
 * For a reader that is no function, such as a generator. Its caller ends the transaction. See
 * `snapshotTransaction`.
 */
export const beginSnapshot = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/**
 * Runs `work` in one transaction: commits when `work` resolves, rolls back when it throws. The
 * commit is on the disk before this function resolves: `synchronous_commit` is `on` or
 * `remote_apply`. Use it for every change that an answer, a message or another system relies on.
 */
export function durableTransaction<Client extends Connection, Result>(
  connection: Client,
  work: (tx: Client) => Promise<Result>,
): Promise<Result> {
  return transaction(connection, beginDurable, work)
}

/**
 * As `durableTransaction`, for work that waits for another server while it holds row locks. If this
 * process freezes, the server ends the transaction after 2 min, and another process continues.
 */
export function turnTransaction<Client extends Connection, Result>(
  connection: Client,
  work: (tx: Client) => Promise<Result>,
): Promise<Result> {
  return transaction(connection, beginTurn, work)
}

/**
 * As `durableTransaction`, but with `synchronous_commit = off`: a crash of the server can lose the
 * last commits, always whole and from the end. Use it only for rows that a restart computes again.
 */
export function relaxedTransaction<Client extends Connection, Result>(
  connection: Client,
  work: (tx: Client) => Promise<Result>,
): Promise<Result> {
  return transaction(connection, 'BEGIN; SET LOCAL synchronous_commit TO off', work)
}

/**
 * Runs `work` on one snapshot of the database: all its reads see the same state. It cannot write.
 */
export function snapshotTransaction<Client extends Connection, Result>(
  connection: Client,
  work: (tx: Client) => Promise<Result>,
): Promise<Result> {
  return transaction(connection, beginSnapshot, work)
}

/** As `snapshotTransaction`, but `work` may write. Its writes are rolled back. */
export function scratchTransaction<Client extends Connection, Result>(
  connection: Client,
  work: (tx: Client) => Promise<Result>,
): Promise<Result> {
  return transaction(connection, 'BEGIN ISOLATION LEVEL REPEATABLE READ', work, 'ROLLBACK')
}

type PoolTransaction = <Result>(
  connection: pg.PoolClient,
  work: (tx: pg.PoolClient) => Promise<Result>,
) => Promise<Result>

/** Connections that could not roll back, and so are still in a transaction. */
const unusable = new WeakSet<object>()

const ignore = (): void => undefined

/** A connection of a pool that one caller uses. */
export interface HeldConnection {
  readonly client: pg.PoolClient
  /** The pool discards an unusable connection, and closes it. */
  release(isUnusable: boolean): void
}

/**
 * Takes a connection of `pool`. When `signal` aborts before the release, the connection is closed,
 * and the server ends the statement that runs on it (`connect.ts`).
 * @throws the reason of `signal`
 */
export async function holdConnection(pool: pg.Pool, signal?: AbortSignal): Promise<HeldConnection> {
  signal?.throwIfAborted()
  const client = await pool.connect()
  let isReleased = false
  const release = (isUnusable: boolean): void => {
    if (isReleased) return
    isReleased = true
    signal?.removeEventListener('abort', abandon)
    client.release(isUnusable)
  }
  const abandon = (): void => release(true)
  if (signal?.aborted === true) release(false)
  signal?.throwIfAborted()
  signal?.addEventListener('abort', abandon)
  return { client, release }
}

/**
 * The pool, for statements that nobody needs after `signal` aborts, such as those of a list whose
 * client has disconnected. Do not use it for a change.
 */
export function readingWhile(pool: pg.Pool, signal: AbortSignal): Queryable {
  return {
    async query(statement, values) {
      const { client, release } = await holdConnection(pool, signal)
      let isUnusable = true
      try {
        const result = await client.query(statement, values)
        isUnusable = false
        return result
      } catch (error) {
        signal.throwIfAborted()
        throw error
      } finally {
        release(isUnusable)
      }
    },
  }
}

/**
 * Runs one of the transactions above on a connection of `pool`. When `signal` aborts, the statement
 * that runs is ended, and the transaction rejects with the reason of `signal`.
 */
export async function onConnectionOf<Result>(
  pool: pg.Pool,
  run: PoolTransaction,
  work: (tx: pg.PoolClient) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const { client, release } = await holdConnection(pool, signal)
  // The pool listens only to its idle connections. If this connection breaks between two
  // statements, the next statement fails. An `error` event without a listener ends the process.
  client.on('error', ignore)
  try {
    return await run(client, work)
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    client.off('error', ignore)
    release(unusable.has(client))
  }
}

async function transaction<Client extends Connection, Result>(
  connection: Client,
  begin: string,
  work: (tx: Client) => Promise<Result>,
  end: 'COMMIT' | 'ROLLBACK' = 'COMMIT',
): Promise<Result> {
  try {
    await connection.query(begin)
    const result = await work(connection)
    await connection.query(end)
    return result
  } catch (error) {
    // A ROLLBACK would wait behind the statement that the server did not answer.
    if (isUnanswered(error)) unusable.add(connection)
    // The server rolls a broken connection back. The first error names the cause, so this one is
    // not thrown.
    else await connection.query('ROLLBACK').catch(() => unusable.add(connection))
    throw error
  }
}
