import type pg from 'pg'
import type { Logger } from 'pino'
import {
  readModelPositions,
  type ReadModelPosition,
} from '#projections/engine/operate/read-model-positions'
import { countEnquiries } from '#projections/enquiries/queries/count-enquiries'
import { createEnquiriesList } from '#projections/enquiries/queries/list-enquiries'
import { enquiries } from '#projections/enquiries/read-model'
import { isUserParked } from '#projections/engine/park/parked-streams'
import { readModelReady } from '#projections/engine/operate/status'
import { schemaOf, type ReadModel } from '#projections/engine/read-model'
import { runProjectors } from '#projections/engine/run/run-projectors'
import { waitUntilProjected } from '#projections/engine/run/wait-until-projected'
import { rowsOf } from '#projections/listing/rows-of'
import { listPage } from '#projections/listing/list-page'
import { lastSignIns } from '#projections/history/queries/actors'
import { adminActivity, eventsOfTypes } from '#projections/history/queries/events-of-types'
import { revisionsBefore, userOfEvent } from '#projections/history/queries/one-event'
import { customersWithProposals } from '#projections/history/queries/proposals'
import { userHistory } from '#projections/history/queries/user-history'
import { history } from '#projections/history/read-model'
import { blockedAmong, emailsOf, userOfEmail } from '#projections/purchases/queries/customers'
import { countLists } from '#projections/purchases/queries/count-lists'
import { paymentsList } from '#projections/purchases/queries/list-payments'
import { refundsList } from '#projections/purchases/queries/list-refunds'
import { subscriptionsList } from '#projections/purchases/queries/list-subscriptions'
import { paymentsOf } from '#projections/purchases/queries/payments'
import { payerOf } from '#projections/purchases/queries/payer'
import { ownerOfRefund } from '#projections/purchases/queries/refunds'
import { receiptOf } from '#projections/purchases/queries/receipts'
import { subscriptionChangesOf } from '#projections/purchases/queries/subscription-changes'
import { ownerOfSubscription, subscriptionsOf } from '#projections/purchases/queries/subscriptions'
import { purchases } from '#projections/purchases/read-model'
import { importsPage } from '#projections/imports/queries/list-imports'
import { imports } from '#projections/imports/read-model'
import { clientFigures } from '#projections/receivables/queries/client-figures'
import { openInvoicesOf } from '#projections/receivables/queries/client-invoices'
import {
  exportedClients,
  exportedFees,
  exportedInvoices,
} from '#projections/receivables/queries/exported-rows'
import { feesOf } from '#projections/receivables/queries/fees'
import { figureEvents } from '#projections/receivables/queries/figure-events'
import { clientsPage, mainCurrency } from '#projections/receivables/queries/list-clients'
import {
  clientsLike,
  clientsWithOthers,
  knownAmong,
  openInvoicesForImport,
} from '#projections/receivables/queries/for-imports'
import { invoicesPage } from '#projections/receivables/queries/list-invoices'
import { merchantCounts } from '#projections/receivables/queries/merchant-counts'
import { overviewOf } from '#projections/receivables/queries/overview'
import { owingClients, owingCounts } from '#projections/receivables/queries/reminded-clients'
import { payingOf } from '#projections/receivables/queries/paying'
import { stepResults } from '#projections/receivables/queries/step-results'
import { statementParts } from '#projections/receivables/queries/statement'
import { receivables } from '#projections/receivables/read-model'
import { sentOn } from '#projections/receivables/queries/message-counts'
import { noStepLeft } from '#projections/receivables/queries/no-step-left'
import { owingContacts } from '#projections/receivables/queries/owing-contacts'
import { reports } from '#projections/reports/read-model'
import { stoppedAmong } from '#projections/stops/queries/stopped-among'
import { stops } from '#projections/stops/read-model'
import { readModelIn, readModels } from '#projections/read-models'
import { createUsersList } from '#projections/users/queries/list-users'
import {
  adminUserById,
  adminUserFrom,
  emailsByUser,
  userEventTypes,
} from '#projections/users/queries/one-user'
import { ownProfile } from '#projections/users/queries/own-profile'
import { sessionUser } from '#projections/users/queries/session-user'
import { unverifiedUsers } from '#projections/users/queries/unverified'
import { summary } from '#projections/users/queries/summary'
import { users } from '#projections/users/read-model'
import type { Receipt } from '#contracts/receipts'
import type { UnverifiedQueries } from '#services/accounts/erase-unverified'
import type { ProfileQueries } from '#services/accounts/own-profile'
import type { SessionQueries } from '#services/accounts/session-routes'
import type { HistoryQueries } from '#services/admin/history/history-queries'
import type { ExportQueries } from '#services/admin/exports/sent-list'
import type { AdminQueries } from '#services/admin/list-routes'
import type { PurchaseQueries } from '#services/billing/purchases-routes'
import type { ProposalQueries } from '#services/billing/refund-approval-routes'
import type { PaymentQueries } from '#services/billing/refund-payment-routes'
import type { RefundQueries } from '#services/billing/refund-routes'
import type { CustomerLinks } from '#services/billing/webhooks/customer-owner'
import type { ReceiptQueries } from '#services/billing/receipt-routes'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore } from '#services/event-store/event-store'
import type { NewerRelease } from '#services/event-store/newer-release'
import type { ImportQueries } from '#services/receivables/import-routes'
import type { ImportsParts } from '#services/receivables/import/imports'
import type { UndoParts } from '#services/receivables/import/undo-import'
import type { ReceivablesQueries } from '#services/receivables/receivables-queries'
import type { StoppedAmong } from '#services/receivables/stops/contact-stops'
import type { ReportQueries } from '#services/reports/report-queries'
import type { TimeZone } from '#services/finance/time-zone'
import { readingWhile } from '#services/postgres/transaction'
import { createReadYourWrites, type ReadContext } from '#services/http/read-your-writes'
import { notBuilt } from '#services/health/build-progress'
import { createCustomerLinks } from './customer-links.ts'
import { standstills } from '#services/health/standstills'
import { createReportQueries } from './report-queries.ts'

export interface ReadSide {
  readonly purchases: PurchaseQueries
  readonly refunds: RefundQueries
  readonly payments: PaymentQueries
  readonly receipts: ReceiptQueries
  /**
   * The receipt of a payment that is in the log. Waits 2 s at most for the read model. Null if the
   * read model does not have the payment.
   */
  readonly receiptOf: (paymentId: string) => Promise<Receipt | null>
  readonly session: SessionQueries
  readonly profile: ProfileQueries
  readonly unverified: UnverifiedQueries
  readonly admin: AdminQueries & ExportQueries
  /** The positions of all read models, whichever process projects them. */
  positions(): Promise<readonly ReadModelPosition[]>
  readonly history: HistoryQueries & ProposalQueries
  readonly reports: ReportQueries
  readonly receivables: ReceivablesQueries
  readonly stoppedAmong: StoppedAmong
  readonly imports: ImportQueries &
    Pick<ImportsParts, 'clientsLike' | 'knownAmong' | 'openInvoices'> &
    Pick<UndoParts, 'clientsWithOthers'>
  /** Until the read model is built, calls other than `isReady` reject with HttpError 503. */
  readonly customerLinks: CustomerLinks
  /**
   * Starts the projectors of every read model. Other processes may run projectors, too. The
   * returned function finishes the current batches and stops the projectors.
   */
  startProjectors(): () => Promise<void>
}

/** Creates the projectors and the queries of the routes. */
export function createReadSide(parts: {
  readonly connectionString: string
  readonly pool: pg.Pool
  /** For what reads many rows. Default: `pool`. */
  readonly reading?: pg.Pool
  readonly store: EventStore
  readonly codec: EventCodec
  readonly log: Logger
  /** Number of shards of a newly built read model. */
  readonly shards: number
  /** In which days and months of reports end. */
  readonly timeZone: TimeZone
  /** `projection` is the schema of the read model, such as `users_v7`. */
  readonly onProjected: (projection: string, events: number) => void
  /** Called with each read model before it is projected. Default: as it is. */
  readonly asProjected?: (model: ReadModel) => ReadModel
  /** Learns of the projectors that wait for a newer release. */
  readonly newerRelease?: NewerRelease
}): ReadSide {
  const { pool, reading = pool, store, log, asProjected = (model) => model } = parts
  const enquiriesList = createEnquiriesList(blockedAmong)
  const usersList = createUsersList(async (db, userIds) => {
    await refuseUnbuilt(receivables)
    return merchantCounts(db, userIds)
  })
  const built = new Set<string>()
  const readYourWrites = createReadYourWrites<ReadModel>(
    (models, position, timeoutMs) =>
      waitUntilProjected(pool, models, position, timeoutMs, store.comparePositions),
    (models, userId) => isUserParked(pool, models, userId),
  )

  const ready =
    (...models: readonly ReadModel[]) =>
    async (context: ReadContext) => {
      for (const model of models) await refuseUnbuilt(model)
      await readYourWrites(context, models)
    }

  return {
    purchases: {
      ready: ready(purchases),
      emailsOf: (userId) => emailsOf(pool, userId),
      userOf: (email) => userOfEmail(pool, email),
      ownerOfSubscription: (id) => ownerOfSubscription(pool, id),
      payments: (userId, now) => paymentsOf(pool, userId, now),
      subscriptions: (userId) => subscriptionsOf(pool, userId),
      changes: async (userId) => ({ changes: await subscriptionChangesOf(pool, userId) }),
    },
    refunds: {
      ready: ready(purchases),
      ownerOf: (refundId) => ownerOfRefund(pool, refundId),
    },
    payments: {
      ready: ready(purchases),
      payerOf: (paymentId) => payerOf(pool, paymentId),
    },
    receipts: {
      ready: ready(purchases),
      receipt: (id) => receiptOf(pool, id),
    },
    async receiptOf(paymentId) {
      const found = await receiptOf(pool, paymentId)
      if (found !== null) return found.receipt
      const position = await store.lastPosition()
      if (position !== null)
        await waitUntilProjected(pool, [purchases], position, 2_000, store.comparePositions)
      return (await receiptOf(pool, paymentId))?.receipt ?? null
    },
    session: {
      ready: ready(users),
      user: (userId) => sessionUser(pool, userId),
    },
    profile: {
      ready: ready(users),
      profile: (userId) => ownProfile(pool, userId),
    },
    unverified: {
      isReady: () => readModelReady(pool, users),
      unverified: (openedUntil, after, limit) => unverifiedUsers(pool, openedUntil, after, limit),
    },
    admin: {
      ready: ready(users, purchases, enquiries),
      lists: {
        users: (query, now, signal) =>
          listPage(readingWhile(reading, signal), usersList, query, now),
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
          ...(await standstills(db)),
        }
      },
    },
    positions: () => readModelPositions(pool, readModels),
    history: {
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
    },
    reports: createReportQueries(reading, () => refuseUnbuilt(reports)),
    receivables: {
      ready: ready(receivables),
      overview: (merchantId, request, today, signal) =>
        overviewOf(readingWhile(reading, signal), merchantId, request, today),
      invoices: (merchantId, query, today, signal) =>
        invoicesPage(readingWhile(reading, signal), merchantId, query, today),
      clients: (merchantId, query, today, signal) =>
        clientsPage(readingWhile(reading, signal), merchantId, query, today),
      exportedInvoices: (merchantId, query, today, signal) =>
        exportedInvoices(reading, merchantId, query, today, signal),
      fees: (merchantId, query, signal) => feesOf(readingWhile(reading, signal), merchantId, query),
      exportedFees: (merchantId, query, signal) => exportedFees(reading, merchantId, query, signal),
      exportedClients: (merchantId, query, today, signal) =>
        exportedClients(reading, merchantId, query, today, signal),
      statementParts: (merchantId, clientId, days) =>
        statementParts(reading, merchantId, clientId, days),
      figureEvents: (merchantId, request, signal) =>
        figureEvents(readingWhile(reading, signal), merchantId, request),
      paying: (merchantId, request, signal) =>
        payingOf(readingWhile(reading, signal), merchantId, request),
      mainCurrency: (merchantId) => mainCurrency(pool, merchantId),
      clientFigures: (merchantId, clientId, today, most) =>
        clientFigures(pool, merchantId, clientId, today, most),
      openInvoicesOf: (merchantId, clientId, today) =>
        openInvoicesOf(pool, merchantId, clientId, today),
      noStepLeft: (merchantId, steps, today) => noStepLeft(pool, merchantId, steps, today),
      stepResults: (merchantId, since) => stepResults(pool, merchantId, since),
      sentOn: (merchantId, day) => sentOn(pool, merchantId, day),
      owingContacts: (merchantId, most) => owingContacts(pool, merchantId, most),
      owingClients: (merchantId, page) => owingClients(reading, merchantId, page),
      owingCounts: (merchantId) => owingCounts(reading, merchantId),
    },
    async stoppedAmong(stopIds) {
      await refuseUnbuilt(stops)
      return stoppedAmong(pool, stopIds)
    },
    imports: {
      ready: ready(receivables, imports),
      imports: (merchantId, query) => importsPage(pool, merchantId, query),
      clientsLike: (merchantId, named) => clientsLike(pool, merchantId, named),
      knownAmong: (ids) => knownAmong(pool, ids),
      openInvoices: (merchantId) => openInvoicesForImport(pool, merchantId),
      async clientsWithOthers(clientIds, except) {
        await refuseUnbuilt(receivables)
        return clientsWithOthers(pool, clientIds, except)
      },
    },
    customerLinks: createCustomerLinks({
      pool,
      store,
      refuseUnbuilt: () => refuseUnbuilt(purchases),
    }),
    startProjectors() {
      const stop = new AbortController()
      const running = readModels.map((model) =>
        runProjectors({
          connectionString: parts.connectionString,
          store,
          codec: parts.codec,
          model: asProjected(readModelIn(model, parts.timeZone)),
          log,
          shards: parts.shards,
          signal: stop.signal,
          onProjected: (events) => parts.onProjected(schemaOf(model), events),
          ...(parts.newerRelease && { newerRelease: parts.newerRelease }),
        }),
      )
      return async () => {
        stop.abort()
        await Promise.all(running)
      }
    },
  }

  /** Until a read model is built, its routes answer 503 with the progress or the pause. */
  async function refuseUnbuilt(model: ReadModel): Promise<void> {
    if (built.has(model.name)) return
    if (!(await readModelReady(pool, model))) throw await notBuilt(store, pool, model)
    built.add(model.name)
  }
}
