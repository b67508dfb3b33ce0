import type { AdminEnquiriesQuery, AdminEnquiry } from '#contracts/admin/enquiries'
import { schemaOf } from '#projections/engine/read-model'
import type { List } from '#projections/listing/list'
import { allRows } from '#services/foundation/rows'
import { enquiriesTable, enquiryRow } from '../enquiry.ts'
import { enquiries } from '../read-model.ts'

const schema = schemaOf(enquiries)

/** The administrator's enquiries. Their class is the status. */
export const enquiriesList: List<AdminEnquiriesQuery, AdminEnquiry> = {
  ...enquiriesTable,
  schema,
  selects: ([present], { status }) => status === 'all' || present === status,
  async read(db, ids) {
    const rows = await allRows(
      db,
      enquiryRow,
      `SELECT * FROM ${schema}.enquiries WHERE enquiry_id = ANY ($1)`,
      [ids],
    )
    return rows.map(({ created_at, updated_at, ...row }) => ({
      key: row.enquiry_id,
      item: {
        ...row,
        created_at: created_at.toISOString(),
        updated_at: updated_at.toISOString(),
      },
    }))
  },
}
