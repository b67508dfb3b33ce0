import { z } from 'zod'
import { parseUserId, type UserId } from '#contracts/ids'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { table } from './table.ts'

const row = z.object({ subject: z.string().transform(parseUserId) })

/** So many customers with proposed refunds in a week are more than persons decide about. */
const max = 200

/** The customers of refunds that were proposed since then, the earliest first, 200 at most. */
export async function customersWithProposals(
  db: Queryable,
  since: Date,
): Promise<readonly UserId[]> {
  const rows = await allRows(
    db,
    row,
    `SELECT e.subject FROM ${table} e
     WHERE e.type = 'RefundProposed' AND e.occurred_at >= $1
     GROUP BY e.subject ORDER BY min(e.occurred_at), e.subject LIMIT ${max}`,
    [since],
  )
  return rows.map(({ subject }) => subject)
}
