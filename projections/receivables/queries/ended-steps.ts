import { z } from 'zod'
import { schemaOf } from '#projections/engine/read-model'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'

const schema = schemaOf(receivables)

const endedRow = z.object({
  receivable_id: z.string(),
  channel: z.string(),
  tone: z.string(),
  outcome: z.string(),
  day: z.string(),
})

/** The step of each invoice that ended last. */
export async function lastEndedSteps(
  db: Queryable,
  merchantId: string,
  receivableIds: readonly string[],
) {
  const rows = await allRows(
    db,
    endedRow,
    `SELECT DISTINCT ON (receivable_id) receivable_id, channel, tone, outcome, day
     FROM ${schema}.reminded_step WHERE receivable_id = ANY ($2) AND merchant_id = $1
     ORDER BY receivable_id, ended_at DESC, offset_days DESC`,
    [merchantId, receivableIds],
  )
  return rows.map(({ receivable_id: receivableId, ...step }) => ({ receivableId, ...step }))
}
