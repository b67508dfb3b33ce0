import { upsertRows } from '#projections/engine/upsert-rows'
import { changeOfCounters, moveCounters } from '#projections/listing/counters'
import { sharesOfRow } from '#projections/listing/day-range'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { classOf, computedColumns, enquiriesTable, enquiryRow, type Enquiry } from './enquiry.ts'

const columns = Object.keys(enquiryRow.shape).join(', ')

/** The existing enquiries with these ids, by id. */
export async function loadEnquiries(
  tx: Queryable,
  schema: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Enquiry>> {
  const rows = await allRows(
    tx,
    enquiryRow,
    `SELECT ${columns} FROM ${schema}.enquiries WHERE enquiry_id = ANY ($1)`,
    [ids],
  )
  return new Map(rows.map((row) => [row.enquiry_id, row]))
}

/** Writes the enquiries `after`, and updates the sums by the difference to `before`. */
export async function saveEnquiries(
  tx: Queryable,
  schema: string,
  before: ReadonlyMap<string, Enquiry>,
  after: ReadonlyMap<string, Enquiry>,
): Promise<void> {
  await upsertRows(
    tx,
    `${schema}.enquiries`,
    'enquiry_id',
    [...after.values()].map((enquiry) => ({ ...enquiry, ...computedColumns(enquiry) })),
  )
  const [former, present] = [before, after].map((all) => [...all.values()].flatMap(sharesOf))
  await moveCounters(tx, schema, changeOfCounters(former ?? [], present ?? []))
}

/** The stored sums are the enquiries by class, and by day and class. */
function sharesOf(enquiry: Enquiry) {
  return sharesOfRow(enquiriesTable.table, classOf(enquiry), enquiry.created_at)
}
