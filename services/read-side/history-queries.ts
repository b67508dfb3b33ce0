import { lastSignIns } from '#projections/history/queries/actors'
import { adminActivity, eventsOfTypes } from '#projections/history/queries/events-of-types'
import { revisionsBefore, userOfEvent } from '#projections/history/queries/one-event'
import { customersWithProposals } from '#projections/history/queries/proposals'
import { userHistory } from '#projections/history/queries/user-history'
import { history } from '#projections/history/read-model'
import { merchantCounts } from '#projections/receivables/queries/merchant-counts'
import { receivables } from '#projections/receivables/read-model'
import {
  adminUserById,
  adminUserFrom,
  emailsByUser,
  userEventTypes,
} from '#projections/users/queries/one-user'
import { users } from '#projections/users/read-model'
import type { HistoryQueries } from '#services/admin/history/history-queries'
import type { ProposalQueries } from '#services/billing/refund-approval-routes'
import { readingWhile } from '#services/postgres/transaction'
import type { ReadParts } from './read-parts.ts'

/** Events for the audit screens, and the persons whom they concern. */
export function createHistoryQueries({
  reading,
  ready,
  refuseUnbuilt,
}: ReadParts): HistoryQueries & ProposalQueries {
  return {
    ready: ready(history, users),
    userPage: (userId, request, signal) =>
      userHistory(readingWhile(reading, signal), userId, request),
    pageOfTypes: (types, request, signal) =>
      eventsOfTypes(readingWhile(reading, signal), types, request),
    activityPage: (activity, request, signal) =>
      adminActivity(readingWhile(reading, signal), activity, request),
    lastSignIns: (adminIds, signal) => lastSignIns(readingWhile(reading, signal), adminIds),
    customersWithProposals: (since, signal) =>
      customersWithProposals(readingWhile(reading, signal), since),
    userOf: (place) => userOfEvent(reading, place),
    revisionsBefore: (place, types, limit) => revisionsBefore(reading, place, types, limit),
    async user(userId, now, signal) {
      await refuseUnbuilt(receivables)
      return adminUserById(readingWhile(reading, signal), userId, now, merchantCounts)
    },
    userEventTypes,
    userFrom: adminUserFrom,
    emails: (userIds) => emailsByUser(reading, userIds),
  }
}
