import type { Queryable } from '#services/foundation/queryable'
import { relaxedTransaction } from '#services/postgres/transaction'
import { forgetParked } from '../park/parked-rows.ts'
import { schemaOf, type ReadModel } from '../read-model.ts'
import { markFolded } from './skipped-events.ts'

/**
 * Creates the schema, tables and checkpoints of a read model in one transaction, unless it has
 * checkpoints. `shards` is the number of shards of a new read model. Rows without a checkpoint
 * belong to no known position, so the function drops and recreates a schema without checkpoints.
 */
export async function createReadModel(
  connection: Queryable,
  model: ReadModel,
  shards: number,
): Promise<void> {
  // Relaxed: if a crash loses this commit, the next start creates the tables again.
  await relaxedTransaction(connection, async () => {
    // The projectors of all shards start at the same time. One of them creates the read model.
    await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `create ${schemaOf(model)}`,
    ])
    const { rows } = await connection.query(
      `INSERT INTO projection.checkpoint (name, version, shard, shards)
       SELECT $1, $2, shard, $3 FROM generate_series(0, $3 - 1) AS shard
       WHERE NOT EXISTS (SELECT 1 FROM projection.checkpoint WHERE name = $1 AND version = $2) RETURNING 1`,
      [model.name, model.version, shards],
    )
    if (rows.length === 0) return
    const schema = schemaOf(model)
    await connection.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
    await connection.query(`CREATE SCHEMA ${schema}`)
    await connection.query(model.createTables(schema))
    await forgetParked(connection, [schema])
    // The new tables are folded from the first event on. An event that fails again is parked again.
    await markFolded(connection, model, [])
  })
}
