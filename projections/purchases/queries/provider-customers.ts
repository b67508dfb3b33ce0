import { z } from 'zod'
import { providerRef, type ProviderRef } from '#contracts/events/provider-ref'
import { parseUserId, type UserId } from '#contracts/ids'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow } from '#services/foundation/rows'
import { schema } from './schema.ts'

const userRow = z.object({ user_id: z.string().transform(parseUserId) })
const customerRow = z.object({ customer_ref: providerRef })

/** The account that the customer is linked to. Null if it is linked to none. */
export async function userOfProviderCustomer(
  db: Queryable,
  customerRef: ProviderRef,
): Promise<UserId | null> {
  const row = await firstRow(
    db,
    userRow,
    `SELECT user_id FROM ${schema}.provider_customer WHERE customer_ref = $1`,
    [customerRef],
  )
  return row?.user_id ?? null
}

/** Those of the customers that are linked to an account. */
export async function linkedProviderCustomers(
  db: Queryable,
  customerRefs: readonly ProviderRef[],
): Promise<ReadonlySet<ProviderRef>> {
  const rows = await allRows(
    db,
    customerRow,
    `SELECT customer_ref FROM ${schema}.provider_customer WHERE customer_ref = ANY ($1)`,
    [[...customerRefs]],
  )
  return new Set(rows.map((row) => row.customer_ref))
}

/** The next `limit` accounts with a linked customer, in the order of their ids. */
export async function linkedUsers(
  db: Queryable,
  after: UserId | null,
  limit: number,
): Promise<readonly UserId[]> {
  const rows = await allRows(
    db,
    userRow,
    `SELECT DISTINCT user_id FROM ${schema}.provider_customer
     WHERE user_id > $1 ORDER BY user_id LIMIT $2`,
    [after ?? '', limit],
  )
  return rows.map((row) => row.user_id)
}
