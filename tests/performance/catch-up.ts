import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable } from '#services/foundation/queryable'
import { readModels } from '#projections/read-models'
import { foldedPositions, startProjectorProcess } from './read-models.ts'

/** The position of the last event in the log; 0 if the log is empty. */
export async function endOfLog(db: Queryable): Promise<bigint> {
  const { rows } = await db.query<{ last: string | null }>(
    'SELECT max(position) AS last FROM log.event',
  )
  return BigInt(rows[0]?.last ?? 0)
}

/** Resolves when every read model, in `shards` shards each, has folded the log up to position `end`. */
export async function untilCaughtUp(db: Queryable, end: bigint, shards = 1): Promise<void> {
  for (;;) {
    const positions = await foldedPositions(db)
    if (
      positions.length === readModels.length * shards &&
      positions.every((position) => position >= end)
    )
      return
    await sleep(100)
  }
}

/** Runs a projector process until every read model has folded the whole log. */
export async function foldLog(connectionString: string, db: Queryable): Promise<void> {
  const stop = startProjectorProcess(connectionString)
  await untilCaughtUp(db, await endOfLog(db))
  await stop()
}
