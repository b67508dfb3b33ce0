import { countEnquiries } from '#projections/enquiries/queries/count-enquiries'
import { createEnquiriesList } from '#projections/enquiries/queries/list-enquiries'
import { enquiries } from '#projections/enquiries/read-model'
import { rowsOf } from '#projections/listing/rows-of'
import { listPage } from '#projections/listing/list-page'
import { blockedAmong } from '#projections/purchases/queries/customers'
import { countLists } from '#projections/purchases/queries/count-lists'
import { paymentsList } from '#projections/purchases/queries/list-payments'
import { refundsList } from '#projections/purchases/queries/list-refunds'
import { subscriptionsList } from '#projections/purchases/queries/list-subscriptions'
import { purchases } from '#projections/purchases/read-model'
import { merchantCounts } from '#projections/receivables/queries/merchant-counts'
import { receivables } from '#projections/receivables/read-model'
import { createUsersList } from '#projections/users/queries/list-users'
import { summary } from '#projections/users/queries/summary'
import { users } from '#projections/users/read-model'
import type { ExportQueries } from '#services/admin/exports/sent-list'
import type { AdminQueries } from '#services/admin/list-routes'
import { readingWhile } from '#services/postgres/transaction'
import { poisonEvents } from '#services/health/poison-events'
import type { ReadParts } from './read-parts.ts'

/** The lists, exports and figures of the administrators' console. */
export function createAdminQueries({
  reading,
  ready,
  refuseUnbuilt,
}: ReadParts): AdminQueries & ExportQueries {
  const enquiriesList = createEnquiriesList(blockedAmong)
  const usersList = createUsersList(async (db, userIds) => {
    await refuseUnbuilt(receivables)
    return merchantCounts(db, userIds)
  })
  return {
    ready: ready(users, purchases, enquiries),
    lists: {
      users: (query, now, signal) => listPage(readingWhile(reading, signal), usersList, query, now),
      payments: (query, now, signal) =>
        listPage(readingWhile(reading, signal), paymentsList, query, now),
      'active-subscriptions': (query, now, signal) =>
        listPage(readingWhile(reading, signal), subscriptionsList, query, now),
      enquiries: (query, now, signal) =>
        listPage(readingWhile(reading, signal), enquiriesList, query, now),
      refunds: (query, now, signal) =>
        listPage(readingWhile(reading, signal), refundsList, query, now),
    },
    rows: {
      users: (query, now, signal) => rowsOf(reading, usersList, query, now, signal),
      payments: (query, now, signal) => rowsOf(reading, paymentsList, query, now, signal),
      'active-subscriptions': (query, now, signal) =>
        rowsOf(reading, subscriptionsList, query, now, signal),
      enquiries: (query, now, signal) => rowsOf(reading, enquiriesList, query, now, signal),
      refunds: (query, now, signal) => rowsOf(reading, refundsList, query, now, signal),
    },
    async summary(now, signal) {
      const db = readingWhile(reading, signal)
      return {
        ...(await summary(db, now)),
        ...(await countEnquiries(db)),
        ...(await countLists(db)),
        ...(await poisonEvents(db)),
      }
    },
  }
}
