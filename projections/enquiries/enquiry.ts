import { z } from 'zod'
import { enquiryStatuses } from '#contracts/enquiry-status'
import { rowClass } from '#projections/listing/row-class'
import { searchText } from '#projections/listing/search-text'
import { sortOrders } from '#projections/listing/sort-order'
import type { EnquirySortKey } from '#contracts/admin/enquiries'
import type { ListTable } from '#projections/listing/list'
import { dateColumn } from '#services/foundation/columns'

/** A folded enquiry. Fields are named as the columns. */
export const enquiryRow = z.object({
  enquiry_id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone_number: z.string(),
  message: z.string(),
  goals: z.string(),
  status: z.enum(enquiryStatuses),
  created_at: dateColumn,
  /** When the enquiry was submitted or its status was last changed. */
  updated_at: dateColumn,
})
export type Enquiry = Readonly<z.infer<typeof enquiryRow>>

interface ComputedColumns {
  readonly class: string
  readonly search_text: string
}

/** The columns that the list filters and searches by: e-mail and both names, also together. */
export function computedColumns(enquiry: Enquiry): ComputedColumns {
  const { email, first_name, last_name } = enquiry
  return {
    class: classOf(enquiry),
    search_text: searchText([email, `${first_name} ${last_name}`, last_name]),
  }
}

/** The class by the filter of the list: the status. */
export function classOf({ status }: Pick<Enquiry, 'status'>): string {
  return rowClass([status], [])
}

const { sortedBy } = sortOrders<Enquiry & ComputedColumns>('enquiry_id', [
  'search_text',
  'created_at',
])

/** The table of the list. The queries and the indexes follow from its orders. */
export const enquiriesTable: ListTable<EnquirySortKey> = {
  table: 'enquiries',
  key: 'enquiry_id',
  createdAt: 'created_at',
  orders: {
    created_at: sortedBy('created_at'),
    updated_at: sortedBy('updated_at'),
    email: sortedBy('email', 'created_at'),
    status: sortedBy('status', 'created_at'),
  },
}
