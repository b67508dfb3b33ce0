import { adminSubscriptionsQuery, adminSubscriptionsResponse } from './active-subscriptions.ts'
import { adminEnquiriesQuery, adminEnquiriesResponse } from './enquiries.ts'
import { adminPaymentsQuery, adminPaymentsResponse } from './payments.ts'
import { adminRefundsQuery, adminRefundsResponse } from './refunds.ts'
import { adminUsersQuery, adminUsersResponse } from './users.ts'

/**
 * The administrator's lists, by the last part of their path: `GET /api/admin/{name}` returns a
 * page, `GET /api/admin/{name}/export` the whole filtered list.
 */
export const adminLists = {
  users: { query: adminUsersQuery, page: adminUsersResponse },
  payments: { query: adminPaymentsQuery, page: adminPaymentsResponse },
  'active-subscriptions': { query: adminSubscriptionsQuery, page: adminSubscriptionsResponse },
  enquiries: { query: adminEnquiriesQuery, page: adminEnquiriesResponse },
  refunds: { query: adminRefundsQuery, page: adminRefundsResponse },
} as const

export type AdminListName = keyof typeof adminLists
export const adminListNames = Object.keys(adminLists) as [AdminListName, ...AdminListName[]]
