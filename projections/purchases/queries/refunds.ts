import { z } from 'zod'
import { parseUserId, type UserId } from '#contracts/ids'
import type { Queryable } from '#services/foundation/queryable'
import { firstRow } from '#services/foundation/rows'
import { schema } from './schema.ts'

const owner = z.object({ user_id: z.string() })

/** The user whose payment was refunded; null for an unknown refund. */
export async function ownerOfRefund(db: Queryable, refundId: string): Promise<UserId | null> {
  const row = await firstRow(
    db,
    owner,
    `SELECT user_id FROM ${schema}.refund WHERE refund_id = $1`,
    [refundId],
  )
  return row === undefined ? null : parseUserId(row.user_id)
}
