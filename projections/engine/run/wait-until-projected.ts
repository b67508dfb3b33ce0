import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { EventStore, Position } from '#services/event-store/event-store'
import { positionColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { checkpointState } from './checkpoint.ts'
import { schemaOf, type ReadModel } from '../read-model.ts'

const pollEveryMs = 15

const checkpointRow = z.object({
  name: z.string(),
  version: z.int(),
  position: positionColumn.nullable(),
  state: checkpointState,
})

/**
 * Read-your-writes: waits until all `models` have folded the event at `position`. Returns false
 * after `timeoutMs`, or at once if one of them is paused before `position`.
 */
export async function waitUntilProjected(
  db: Queryable,
  models: readonly Pick<ReadModel, 'name' | 'version'>[],
  position: Position,
  timeoutMs: number,
  comparePositions: EventStore['comparePositions'],
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  const names = models.map((model) => model.name)
  const versions = models.map((model) => model.version)
  for (;;) {
    const rows = await allRows(
      db,
      checkpointRow,
      `SELECT name, version, c.position, c.state FROM projection.checkpoint c JOIN unnest($1::text[], $2::int[]) AS m (name, version) USING (name, version)`,
      [names, versions],
    )
    const behind = rows.filter(
      (row) => row.position === null || comparePositions(row.position, position) < 0,
    )
    if (new Set(rows.map((row) => schemaOf(row))).size === models.length && behind.length === 0)
      return true
    if (behind.some((row) => row.state === 'paused') || performance.now() + pollEveryMs > deadline)
      return false
    await sleep(pollEveryMs)
  }
}
