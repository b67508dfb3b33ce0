import type { Queryable } from '../queryable.ts'
import { schemaOf, type ReadModel } from '../read-model.ts'
import { inTransaction } from './in-transaction.ts'

/**
 * Makes a read model's schema, tables and checkpoints, all or nothing, unless they are there; `shards`
 * is how many parts a new one is folded in. Rows without a checkpoint cannot be trusted to belong to any
 * position: such a schema is made anew.
 */
export async function createReadModel(
  connection: Queryable,
  model: ReadModel,
  shards: number,
): Promise<void> {
  await inTransaction(connection, async () => {
    // Projectors of its shards start at the same time: one of them makes it.
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
  })
}
