import { cardExpiry } from '#contracts/card-expiry'
import { paymentMethodText } from '#contracts/payment-method-text'
import type { DefaultPaymentMethod } from '#contracts/purchases'
import type { Queryable } from '#services/foundation/queryable'
import { firstRow } from '#services/foundation/rows'
import { defaultMethodRow } from '../rows.ts'
import { schema } from './schema.ts'

/** What the provider charges for the customer's next payment. Null without a known means. */
export async function defaultMethodOf(
  db: Queryable,
  userId: string,
): Promise<DefaultPaymentMethod | null> {
  const row = await firstRow(
    db,
    defaultMethodRow,
    `SELECT * FROM ${schema}.default_method WHERE user_id = $1`,
    [userId],
  )
  const method = row?.method ?? null
  if (method === null) return null
  return { name: paymentMethodText(method), expires: cardExpiry(method) }
}
