import { z } from 'zod'
import { parseUserId } from '#contracts/ids'
import type { Queryable } from '#services/foundation/queryable'
import { firstRow } from '#services/foundation/rows'
import { schema } from './schema.ts'

const payer = z.object({
  userId: z.string().transform(parseUserId),
  name: z.string().nullable(),
  email: z.string(),
})

/** The customer of a payment; null for an unknown payment. */
export async function payerOf(db: Queryable, paymentId: string) {
  const row = await firstRow(
    db,
    payer,
    `SELECT c.user_id AS "userId", c.full_name AS name, c.email
     FROM ${schema}.charge p JOIN ${schema}.customer c ON c.user_id = p.user_id
     WHERE p.payment_id = $1 LIMIT 1`,
    [paymentId],
  )
  return row ?? null
}
