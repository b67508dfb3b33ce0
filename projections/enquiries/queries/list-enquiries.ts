import type { AdminEnquiriesQuery, AdminEnquiry } from '#contracts/admin/enquiries'
import { schemaOf } from '#projections/engine/read-model'
import type { List } from '#projections/listing/list'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { enquiriesTable, enquiryRow } from '../enquiry.ts'
import { enquiries } from '../read-model.ts'

const schema = schemaOf(enquiries)

/** The blocked ones of these addresses. */
type BlockedAmong = (db: Queryable, emails: readonly string[]) => Promise<ReadonlySet<string>>

/** The administrator's enquiries. Their class is the status. */
export const createEnquiriesList = (
  blockedAmong: BlockedAmong,
): List<AdminEnquiriesQuery, AdminEnquiry> => ({
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
    const blocked = await blockedAmong(
      db,
      rows.map(({ email }) => email),
    )
    return rows.map(({ created_at, updated_at, ...row }) => ({
      key: row.enquiry_id,
      item: {
        ...row,
        created_at: created_at.toISOString(),
        updated_at: updated_at.toISOString(),
        user_blocked: blocked.has(row.email),
      },
    }))
  },
})
