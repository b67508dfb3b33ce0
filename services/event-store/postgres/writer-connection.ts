import type pg from 'pg'

export interface WriterConnection {
  /** One statement at a time. A connection on which one failed is replaced for the next. */
  query<Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<pg.QueryResult<Row>>
  close(): Promise<void>
}

/** As log.append sets for itself: one plan for the life of the connection, though the table may be empty when it is made. */
const settings = 'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off'

/**
 * Keeps the one connection of a pool instead of giving it back after each statement, which costs a
 * twentieth of an append. The pool still makes it, with its time limits.
 */
export function createWriterConnection(pool: pg.Pool): WriterConnection {
  let kept: pg.PoolClient | null = null

  async function connect(): Promise<pg.PoolClient> {
    const client = await pool.connect()
    // One that breaks between two statements is noticed by the next, which is sent again.
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
    async query(statement) {
      const client = kept ?? (await connect())
      try {
        return await client.query(statement)
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
