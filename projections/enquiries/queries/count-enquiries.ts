import { z } from 'zod'
import type { AdminSummary } from '#contracts/admin/summary'
import { schemaOf } from '#projections/engine/read-model'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { oneRow } from '#services/foundation/rows'
import { classOf, enquiriesTable } from '../enquiry.ts'
import { enquiries } from '../read-model.ts'

const countRow = z.object({ all: integerColumn, open: integerColumn })

/** The numbers of the dashboard's cards, from stored sums. */
export async function countEnquiries(
  db: Queryable,
): Promise<Pick<AdminSummary, 'enquiries' | 'newEnquiries'>> {
  const { all, open } = await oneRow(
    db,
    countRow,
    `SELECT coalesce(sum(value), 0)::bigint AS "all",
            coalesce(sum(value) FILTER (WHERE bucket = $2), 0)::bigint AS "open"
     FROM ${schemaOf(enquiries)}.counter WHERE name = $1`,
    [enquiriesTable.table, classOf({ status: 'open' })],
  )
  return { enquiries: all, newEnquiries: open }
}
