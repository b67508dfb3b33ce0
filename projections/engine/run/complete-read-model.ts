import { z } from 'zod'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { relaxedTransaction } from '#services/postgres/transaction'
import { schemaOf, type ReadModel } from '../read-model.ts'
import { assertHolds } from './checkpoint.ts'
import type { Lease } from '#services/postgres/lease'
import type { Shard } from './shard.ts'

/**
 * Marks a shard as caught up, when it has folded the log for the first time. The last shard to
 * catch up also creates the indexes, in the same transaction. From then on routes read the read
 * model.
 * @throws FencedOff
 */
export async function completeReadModel(
  { connection, withoutHeartbeatTimeout }: Lease,
  model: ReadModel,
  shard: Shard,
  epoch: string,
): Promise<void> {
  await withoutHeartbeatTimeout(async () => {
    // Relaxed: mark and indexes commit together, so a restart repeats both.
    const isLast = await relaxedTransaction(connection, async () => {
      // Locks all shards, in one order: the shards run this one after the other, and exactly one is
      // the last.
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

const tableRow = z.object({ tablename: z.string() })

/**
 * Writes the planner's statistics and the visibility map for index-only scans, so that the first
 * query is fast.
 */
export async function vacuum(connection: Queryable, schema: string): Promise<void> {
  const rows = await allRows(
    connection,
    tableRow,
    'SELECT tablename FROM pg_tables WHERE schemaname = $1',
    [schema],
  )
  for (const { tablename } of rows)
    await connection.query(`VACUUM (ANALYZE) ${schema}."${tablename}"`)
}
