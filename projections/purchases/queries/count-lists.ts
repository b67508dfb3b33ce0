import { z } from 'zod'
import type { AdminSummary } from '#contracts/admin/summary'
import { isUnpaid } from '#contracts/subscription-status'
import { facetsOf } from '#projections/listing/row-class'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { failedFacet } from '../lists/paid-time.ts'
import { paymentsTable, subscriptionsTable } from '../lists/tables.ts'
import { schema } from './schema.ts'

const classRow = z.object({ name: z.string(), bucket: z.string(), value: integerColumn })

type ListCounts = Pick<AdminSummary, 'payments' | 'failedPayments' | 'pastDueSubscriptions'>

/** The rows of the administrator's lists and filters, from stored sums. */
export async function countLists(db: Queryable): Promise<ListCounts> {
  const classes = await allRows(
    db,
    classRow,
    `SELECT name, bucket, value FROM ${schema}.counter WHERE name IN ($1, $2)`,
    [paymentsTable.table, subscriptionsTable.table],
  )
  const rowsOf = (table: string, isCounted: (facet: string) => boolean) =>
    classes
      .filter(({ name, bucket }) => name === table && isCounted(facetsOf(bucket)[0] ?? ''))
      .reduce((sum, { value }) => sum + value, 0)
  return {
    payments: rowsOf(paymentsTable.table, (facet) => facet !== failedFacet),
    failedPayments: rowsOf(paymentsTable.table, (facet) => facet === failedFacet),
    pastDueSubscriptions: rowsOf(subscriptionsTable.table, isUnpaid),
  }
}
