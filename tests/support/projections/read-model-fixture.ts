import pg from 'pg'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { handledTypes, schemaOf, type ReadModel } from '#projections/engine/read-model'
import { numbered } from '#projections/engine/run/numbered'
import { relaxedTransaction } from '#services/postgres/transaction'
import { createTestDatabase } from '../postgres/database.ts'

export interface ReadModelFixture {
  readonly pool: pg.Pool
  /** Its connections are as that of a lease. */
  readonly projecting: pg.Pool
  /**
   * Recreates the read model and folds the events in batches of `batchSize` (default: one batch).
   */
  given(model: ReadModel, events: readonly RecordedEvent[], batchSize?: number): Promise<void>
  drop(): Promise<void>
}

/** Read models without the engine: events in, rows out. */
export async function createReadModelFixture(): Promise<ReadModelFixture> {
  const { pool, drop, connectionString } = await createTestDatabase()
  const projecting = new pg.Pool({ connectionString, max: 2, pipeline: true })
  const created = new Set<string>()
  return {
    pool,
    projecting,
    async drop() {
      await projecting.end()
      await drop()
    },
    async given(model, events, batchSize = Math.max(events.length, 1)) {
      const schema = schemaOf(model)
      const connection = await projecting.connect()
      try {
        if (created.has(schema)) await emptyTables(connection, schema)
        else
          await connection.query(
            `CREATE SCHEMA ${schema}; ${model.createTables(schema)}; ${model.createIndexes(schema)}`,
          )
        created.add(schema)
        for (let from = 0; from < events.length; from += batchSize) {
          const batch = numbered(events.slice(from, from + batchSize), from).filter(({ type }) =>
            handledTypes(model).has(type),
          )
          // As the engine, which folds no empty batch.
          if (batch.length === 0) continue
          await relaxedTransaction(connection, () => model.project(batch, connection, schema))
        }
      } finally {
        connection.release()
      }
    },
  }
}

/** DELETE, because it takes a tenth of the time of TRUNCATE or of new tables for a few rows. */
async function emptyTables(connection: pg.PoolClient, schema: string): Promise<void> {
  const tables = await connection.query<{ tablename: string }>(
    'SELECT tablename FROM pg_tables WHERE schemaname = $1',
    [schema],
  )
  await connection.query(
    tables.rows.map(({ tablename }) => `DELETE FROM ${schema}.${tablename}`).join(';'),
  )
}

/** All rows of a read model's tables as sorted texts. Equal read models give equal texts. */
export async function rowsOf(
  pool: pg.Pool,
  model: ReadModel,
): Promise<Record<string, readonly string[]>> {
  const schema = schemaOf(model)
  const tables = await pool.query<{ tablename: string }>(
    'SELECT tablename FROM pg_tables WHERE schemaname = $1 ORDER BY tablename',
    [schema],
  )
  const rows: Record<string, readonly string[]> = {}
  for (const { tablename } of tables.rows) {
    const found = await pool.query<{ row: string }>(
      `SELECT to_jsonb(t)::text AS row FROM ${schema}.${tablename} t ORDER BY 1`,
    )
    rows[tablename] = found.rows.map(({ row }) => row)
  }
  return rows
}
