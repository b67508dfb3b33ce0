import type pg from 'pg'

/** One connection. A pool may send the statements of a transaction to different connections. */
interface Connection {
  query(sql: string): Promise<unknown>
}

/**
 * Runs `work` in one transaction: commits when `work` resolves, rolls back when it throws. The commit is
 * on the disk before this function resolves, as the server's `synchronous_commit` (`on`) defines it. Use it
 * for every change that an answer, a message or another system relies on.
 */
export function durableTransaction<Client extends Connection, Result>(
  connection: Client,
  work: (tx: Client) => Promise<Result>,
): Promise<Result> {
  return transaction(connection, 'BEGIN', work)
}

/**
 * As `durableTransaction`, but with `synchronous_commit = off`: a crash of the server can lose the last
 * commits, always whole and from the end. Use it only for rows that a restart computes again.
 */
export function relaxedTransaction<Client extends Connection, Result>(
  connection: Client,
  work: (tx: Client) => Promise<Result>,
): Promise<Result> {
  return transaction(connection, 'BEGIN; SET LOCAL synchronous_commit TO off', work)
}

/** A durable transaction on a connection of `pool`. */
export async function durablePoolTransaction<Result>(
  pool: pg.Pool,
  work: (tx: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    return await transaction(client, 'BEGIN', work, (error) => (broken = error))
  } finally {
    // The pool discards a connection that could not roll back.
    client.release(broken)
  }
}

async function transaction<Client extends Connection, Result>(
  connection: Client,
  begin: string,
  work: (tx: Client) => Promise<Result>,
  onRollbackFailed: (error: Error) => void = () => undefined,
): Promise<Result> {
  try {
    await connection.query(begin)
    const result = await work(connection)
    await connection.query('COMMIT')
    return result
  } catch (error) {
    // The server rolls a broken connection back. The first error names the cause, so this one is not thrown.
    await connection.query('ROLLBACK').catch(onRollbackFailed)
    throw error
  }
}
