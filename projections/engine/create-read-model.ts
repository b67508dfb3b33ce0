import { inTransaction } from './in-transaction.ts'
import type { Queryable } from './queryable.ts'
import { schemaOf, type ReadModel } from './read-model.ts'

/**
 * Makes a read model's schema, tables and checkpoint, all or nothing, unless they are there. Rows
 * without a checkpoint cannot be trusted to belong to any position: such a schema is made anew.
 * Only for the holder of the lease.
 */
export async function createReadModel(connection: Queryable, model: ReadModel): Promise<void> {
  await inTransaction(connection, async () => {
    const { rows } = await connection.query(
      'INSERT INTO projection.checkpoint (name, version) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1', [model.name, model.version],
    )
    if (rows.length === 0) return
    const schema = schemaOf(model)
    await connection.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
    await connection.query(`CREATE SCHEMA ${schema}`)
    await connection.query(model.createTables(schema))
  })
}
