import { z } from 'zod'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { oneRow } from '#services/foundation/rows'
import { paymentsTable } from '../lists/tables.ts'
import { schema } from './schema.ts'

const countRow = z.object({ payments: integerColumn })

/** The rows of the administrator's payments, from stored sums. */
export async function countPayments(db: Queryable): Promise<number> {
  const { payments } = await oneRow(
    db,
    countRow,
    `SELECT coalesce(sum(value), 0) AS payments FROM ${schema}.counter WHERE name = $1`,
    [paymentsTable.table],
  )
  return payments
}
