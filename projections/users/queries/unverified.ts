import { z } from 'zod'
import { parseUserId, type UserId } from '#contracts/ids'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { schema } from './schema.ts'

const row = z.object({ user_id: z.string().transform(parseUserId) })

/**
 * The next `limit` accounts that were opened at `openedUntil` or before and were never verified, in
 * the order of their ids. Erased accounts are among them.
 */
export async function unverifiedUsers(
  db: Queryable,
  openedUntil: Date,
  after: UserId | null,
  limit: number,
): Promise<readonly UserId[]> {
  const rows = await allRows(
    db,
    row,
    `SELECT user_id FROM ${schema}.users
     WHERE user_type IN (1, 2) AND created_at <= $1 AND user_id > $2 ORDER BY user_id LIMIT $3`,
    [openedUntil, after ?? '', limit],
  )
  return rows.map(({ user_id }) => user_id)
}
