import type { Queryable } from '../queryable.ts'
import { schemaOf, type ReadModel } from '../read-model.ts'
import { assertHolds } from './checkpoint.ts'
import { inTransaction } from './in-transaction.ts'
import type { Lease } from './lease.ts'
import type { Shard } from './shard.ts'

/**
 * The log is folded for the first time. The last shard of which this is true makes what readers need and
 * lets them in, in one transaction: a crash leaves neither indexes without a word nor a word without them.
 * @throws FencedOff
 */
export async function completeReadModel(
  { connection, withoutHeartbeatTimeout }: Lease,
  model: ReadModel,
  shard: Shard,
  epoch: string,
): Promise<void> {
  await withoutHeartbeatTimeout(async () => {
    const isLast = await inTransaction(connection, async () => {
      // In one order, and all of them: the shards come one after the other, and one is the last.
      await connection.query(
        'SELECT 1 FROM projection.checkpoint WHERE name = $1 AND version = $2 ORDER BY shard FOR UPDATE',
        [model.name, model.version],
      )
      await assertHolds(connection, model, shard, epoch)
      await connection.query(
        'UPDATE projection.checkpoint SET caught_up_at = now() WHERE name = $1 AND version = $2 AND shard = $3',
        [model.name, model.version, shard.index],
      )
      const { rows } = await connection.query(
        'SELECT 1 FROM projection.checkpoint WHERE name = $1 AND version = $2 AND caught_up_at IS NULL',
        [model.name, model.version],
      )
      if (rows.length === 0) await connection.query(model.createIndexes(schemaOf(model)))
      return rows.length === 0
    })
    if (isLast) await vacuum(connection, schemaOf(model))
  })
}

/** Statistics for the planner, and the visibility map for index-only reads: the first reader is as fast as the thousandth. */
export async function vacuum(connection: Queryable, schema: string): Promise<void> {
  const { rows } = await connection.query<{ tablename: string }>(
    'SELECT tablename FROM pg_tables WHERE schemaname = $1',
    [schema],
  )
  for (const { tablename } of rows)
    await connection.query(`VACUUM (ANALYZE) ${schema}."${tablename}"`)
}
