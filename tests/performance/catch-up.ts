import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { isDivisible } from '#projections/engine/read-model'
import { readModels } from '#projections/read-models'
import { positionColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { oneRow } from '#services/foundation/rows'
import { foldedPositions, startProjectorProcess } from './read-models.ts'

const endRow = z.object({ last: positionColumn.nullable() })

/** The position of the last event in the log; 0 if the log is empty. */
export async function endOfLog(db: Queryable): Promise<bigint> {
  const { last } = await oneRow(db, endRow, 'SELECT max(position) AS last FROM log.event')
  return BigInt(last ?? 0)
}

/**
 * Resolves when every read model, in `shards` shards if it can be divided, has folded the log up to
 * position `end`.
 */
export async function untilCaughtUp(db: Queryable, end: bigint, shards = 1): Promise<void> {
  const parts = readModels.reduce((sum, model) => sum + (isDivisible(model) ? shards : 1), 0)
  for (;;) {
    const positions = await foldedPositions(db)
    if (positions.length === parts && positions.every((position) => position >= end)) return
    await sleep(100)
  }
}

/** Runs a projector process until every read model has folded the whole log. */
export async function foldLog(connectionString: string, db: Queryable): Promise<void> {
  const stop = startProjectorProcess(connectionString)
  await untilCaughtUp(db, await endOfLog(db))
  await stop()
}
