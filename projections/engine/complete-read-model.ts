import { assertHolds } from './checkpoint.ts'
import { inTransaction } from './in-transaction.ts'
import type { Lease } from './lease.ts'
import type { Queryable } from './queryable.ts'
import { schemaOf, type ReadModel } from './read-model.ts'

/**
 * The log is folded for the first time: makes what readers need and lets them in, in one transaction,
 * so that a crash leaves neither indexes without a word nor a word without indexes.
 * @throws FencedOff
 */
export async function completeReadModel({ connection, patiently }: Lease, model: ReadModel, epoch: string): Promise<void> {
  await patiently(async () => {
    await inTransaction(connection, async () => {
      await assertHolds(connection, model, epoch)
      await connection.query(model.createIndexes(schemaOf(model)))
      await connection.query('UPDATE projection.checkpoint SET caught_up_at = now() WHERE name = $1 AND version = $2', [model.name, model.version])
    })
    await vacuum(connection, schemaOf(model))
  })
}

/** Statistics for the planner, and the visibility map for index-only reads: the first reader is as fast as the thousandth. */
export async function vacuum(connection: Queryable, schema: string): Promise<void> {
  const { rows } = await connection.query<{ tablename: string }>('SELECT tablename FROM pg_tables WHERE schemaname = $1', [schema])
  for (const { tablename } of rows) await connection.query(`VACUUM (ANALYZE) ${schema}."${tablename}"`)
}
