import { z } from 'zod'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { schemaOf, type ReadModel } from '../read-model.ts'

const positionsRow = z.object({
  name: z.string(),
  version: z.int(),
  positions: z.string(),
  epochs: z.string(),
})

/** The progress of a read model at one moment. */
export interface ReadModelPosition {
  readonly name: string
  /** The positions of the shards in their order, separated by commas. Empty: no event yet. */
  readonly position: string
  /** Changes with the position, and with a swap after a rebuild, which leaves the position. */
  readonly state: string
}

/** The positions of these read models, whichever process projects them. One statement. */
export async function readModelPositions(
  db: Queryable,
  models: readonly Pick<ReadModel, 'name' | 'version'>[],
): Promise<readonly ReadModelPosition[]> {
  const rows = await allRows(
    db,
    positionsRow,
    `SELECT name, version, string_agg(coalesce(position, ''), ',' ORDER BY shard) AS positions,
       string_agg(epoch::text, ',' ORDER BY shard) AS epochs
     FROM projection.checkpoint GROUP BY name, version`,
  )
  const wanted = new Set(models.map(schemaOf))
  return rows
    .filter((row) => wanted.has(schemaOf(row)))
    .map(({ name, positions, epochs }) => ({
      name,
      position: positions,
      state: `${positions} ${epochs}`,
    }))
}
