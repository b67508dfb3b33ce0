import { waitUntilProjected } from '#projections/engine/run/wait-until-projected'
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
import { invoicesPage } from '#projections/receivables/queries/list-invoices'
import { overviewOf } from '#projections/receivables/queries/overview'
import { lastEndedSteps } from '#projections/receivables/queries/ended-steps'
import {
  owingClients,
  owingClientsAmong,
  owingCounts,
} from '#projections/receivables/queries/reminded-clients'
import { payingOf } from '#projections/receivables/queries/paying'
import { stepResults } from '#projections/receivables/queries/step-results'
import { statementParts } from '#projections/receivables/queries/statement'
import { receivables } from '#projections/receivables/read-model'
import { sentOn } from '#projections/receivables/queries/message-counts'
import { noStepLeft } from '#projections/receivables/queries/no-step-left'
import { owingContacts } from '#projections/receivables/queries/owing-contacts'
import type { ReceivablesQueries } from '#services/receivables/receivables-queries'
import { readingWhile } from '#services/postgres/transaction'
import type { ReadParts } from './read-parts.ts'

/** What a merchant's clients owe, for the routes of receivables and the client portal. */
export function createReceivablesQueries({
  pool,
  reading,
  store,
  ready,
}: ReadParts): ReceivablesQueries {
  return {
    ready: ready(receivables),
    async shows(positions) {
      const last = [...positions].sort(store.comparePositions).at(-1)
      if (last !== undefined)
        await waitUntilProjected(pool, [receivables], last, 2_000, store.comparePositions)
    },
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
    clientFigures: (merchantId, clientId, today, max) =>
      clientFigures(pool, merchantId, clientId, today, max),
    openInvoicesOf: (merchantId, clientId, today) =>
      openInvoicesOf(pool, merchantId, clientId, today),
    noStepLeft: (merchantId, steps, today) => noStepLeft(pool, merchantId, steps, today),
    stepResults: (merchantId, since) => stepResults(pool, merchantId, since),
    sentOn: (merchantId, day) => sentOn(pool, merchantId, day),
    owingContacts: (merchantId, max) => owingContacts(pool, merchantId, max),
    owingClients: (merchantId, page) => owingClients(reading, merchantId, page),
    owingClientsAmong: (merchantId, among) => owingClientsAmong(reading, merchantId, among),
    lastEndedSteps: (merchantId, ids) => lastEndedSteps(reading, merchantId, ids),
    owingCounts: (merchantId) => owingCounts(reading, merchantId),
  }
}
