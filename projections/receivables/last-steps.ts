import type { Queryable } from '#services/foundation/queryable'

/**
 * Copies the greatest offset of the ended steps into their receivables. The events of a receivable
 * and those of its messages are in separate streams, so this runs when either brings a row.
 */
export async function saveLastSteps(
  tx: Queryable,
  schema: string,
  receivableIds: readonly string[],
): Promise<void> {
  if (receivableIds.length === 0) return
  await tx.query(
    `UPDATE ${schema}.receivable r SET last_step = s.last_step
     FROM (
       SELECT receivable_id, max(offset_days) AS last_step
       FROM ${schema}.reminded_step WHERE receivable_id = ANY ($1) GROUP BY receivable_id
     ) AS s
     WHERE r.receivable_id = s.receivable_id AND r.last_step IS DISTINCT FROM s.last_step`,
    [[...new Set(receivableIds)]],
  )
}
