import { z } from 'zod'
import type { Queryable } from '#services/foundation/queryable'
import { oneRow } from '#services/foundation/rows'

const countRow = z.object({ customers: z.int() })

/** The number of accounts that this database ever had. */
export async function countCustomers(database: Queryable): Promise<number> {
  const { customers } = await oneRow(
    database,
    countRow,
    'SELECT count(*)::int AS customers FROM app.personal_key',
  )
  return customers
}

const anyRow = z.object({ any: z.boolean() })

/** Whether this database ever had an account. */
export async function hasCustomers(database: Queryable): Promise<boolean> {
  const { any } = await oneRow(
    database,
    anyRow,
    'SELECT EXISTS (SELECT FROM app.personal_key) AS any',
  )
  return any
}
