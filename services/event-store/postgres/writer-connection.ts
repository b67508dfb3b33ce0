import type pg from 'pg'
import type { Queryable } from '#services/foundation/queryable'

/** Runs one statement at a time. After a failed statement the next one gets a new connection. */
export interface WriterConnection extends Queryable {
  close(): Promise<void>
}

/**
 * The settings of log.append: one plan for the life of the connection, by index, even if the table
 * was empty when it was planned.
 */
const settings = 'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off'

/**
 * Keeps the pool's one connection checked out. A release after each statement would cost a
 * twentieth of an append. The pool still creates the connection, with its timeouts.
 */
export function createWriterConnection(pool: pg.Pool): WriterConnection {
  let kept: pg.PoolClient | null = null

  async function connect(): Promise<pg.PoolClient> {
    const client = await pool.connect()
    // If the connection breaks between two statements, the next statement gets a new connection.
    client.on('error', () => discard(client))
    try {
      await client.query(settings)
    } catch (error) {
      client.release(true)
      throw error
    }
    kept = client
    return client
  }

  function discard(client: pg.PoolClient) {
    if (kept !== client) return
    kept = null
    client.release(true)
  }

  return {
    async query(statement, values) {
      const client = kept ?? (await connect())
      try {
        return await client.query(statement, values)
      } catch (error) {
        discard(client)
        throw error
      }
    },
    async close() {
      kept?.release()
      kept = null
      await pool.end()
    },
  }
}
