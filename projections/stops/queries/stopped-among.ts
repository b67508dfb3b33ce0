import { z } from 'zod'
import { schemaOf } from '#projections/engine/read-model'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { stops } from '../read-model.ts'

const schema = schemaOf(stops)
const stoppedRow = z.object({
  stop_id: z.string(),
  via: z.enum(['portal', 'one-click', 'text', 'provider']),
})

/** How each of these was stopped. Those that are not stopped are left out. */
export async function stoppedAmong(
  db: Queryable,
  stopIds: readonly string[],
): Promise<ReadonlyMap<string, z.infer<typeof stoppedRow>['via']>> {
  const rows = await allRows(
    db,
    stoppedRow,
    `SELECT stop_id, via FROM ${schema}.stop WHERE stop_id = ANY ($1) AND via IS NOT NULL`,
    [stopIds],
  )
  return new Map(rows.map(({ stop_id, via }) => [stop_id, via]))
}
