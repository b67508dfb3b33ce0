import type { z } from 'zod'
import {
  addClientResponse,
  clientActResponse,
  type addClientRequest,
  type clientAct,
} from '#contracts/receivables/client-requests'
import {
  clientResponse,
  clientsPage,
  type ClientResponse,
  type ClientsPage,
  type clientsQuery,
} from '#contracts/receivables/clients'
import {
  figureEventsResponse,
  type FigureEventsResponse,
  type figureEventsQuery,
} from '#contracts/receivables/figure-events'
import { invoiceResponse, type InvoiceResponse } from '#contracts/receivables/invoice'
import {
  addInvoiceResponse,
  invoiceActResponse,
  type addInvoiceRequest,
  type invoiceAct,
} from '#contracts/receivables/invoice-requests'
import {
  invoicesPage,
  type InvoicesPage,
  type invoicesQuery,
} from '#contracts/receivables/invoices'
import {
  moreNeedsYouResponse,
  receivablesOverview,
  type MoreNeedsYou,
  type ReceivablesOverview,
} from '#contracts/receivables/overview'
import { payingResponse, type Paying, type PayingQuery } from '#contracts/receivables/paying'
import { statementResponse, type StatementResponse } from '#contracts/receivables/statement'
import { api } from './api.ts'

export type InvoicesQuery = z.infer<typeof invoicesQuery>
export type ClientsQuery = z.infer<typeof clientsQuery>
export type InvoiceAct = z.infer<typeof invoiceAct>
export type ClientAct = z.infer<typeof clientAct>
type AddClientRequest = z.infer<typeof addClientRequest>
type AddInvoiceRequest = z.infer<typeof addInvoiceRequest>
type FigureEventsQuery = Omit<z.input<typeof figureEventsQuery>, 'after' | 'limit'>

/** A refused act means that the page was out of date, so the data is refetched then, too. */
const changesAll = { invalidatesTags: ['Receivables'] } as const
const readsAll = { providesTags: ['Receivables'] } as const

/** One press of a button has one key, so that its repetition is recorded once. */
interface Keyed<Body> {
  readonly id: string
  readonly key: string
  readonly body: Body
}

const post = (path: string, { key, body }: { key: string; body: unknown }) => ({
  url: `/api/receivables/${path}`,
  method: 'POST' as const,
  headers: { 'Idempotency-Key': key },
  body,
})

/** The parameters of a query string, without those that restrict nothing. */
export function queryString(parameters: object): string {
  const given = Object.entries(parameters).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  return new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()
}

const at = (path: string, parameters: object) => {
  const query = queryString(parameters)
  return `/api/receivables/${path}${query === '' ? '' : `?${query}`}`
}

const receivablesApi = api.injectEndpoints({
  endpoints: (build) => ({
    getReceivablesOverview: build.query<
      ReceivablesOverview,
      { readonly asOf?: string | undefined; readonly currency?: string | undefined }
    >({
      query: (parameters) => at('overview', parameters),
      responseSchema: receivablesOverview,
      ...readsAll,
    }),
    getMoreNeedsYou: build.query<MoreNeedsYou, void>({
      query: () => '/api/receivables/needs-you',
      responseSchema: moreNeedsYouResponse,
      ...readsAll,
    }),
    /** How clients pay, or one client. */
    getPaying: build.query<Paying, PayingQuery>({
      query: (query) => at('paying', query),
      responseSchema: payingResponse,
      ...readsAll,
    }),
    /** The events that a figure consists of. They add up to it. */
    getFigureEvents: build.infiniteQuery<FigureEventsResponse, FigureEventsQuery, string | null>({
      infiniteQueryOptions: {
        initialPageParam: null,
        getNextPageParam: ({ next }) => next,
      },
      query: ({ queryArg, pageParam }) => at('events', { ...queryArg, after: pageParam }),
      responseSchema: figureEventsResponse,
      ...readsAll,
    }),
    listInvoices: build.query<InvoicesPage, Partial<InvoicesQuery>>({
      query: (query) => at('invoices', query),
      responseSchema: invoicesPage,
      ...readsAll,
    }),
    getInvoice: build.query<InvoiceResponse, { receivableId: string }>({
      query: ({ receivableId }) => at(`invoices/${encodeURIComponent(receivableId)}`, {}),
      responseSchema: invoiceResponse,
      ...readsAll,
    }),
    listClients: build.query<ClientsPage, Partial<ClientsQuery>>({
      query: (query) => at('clients', query),
      responseSchema: clientsPage,
      ...readsAll,
    }),
    getClient: build.query<ClientResponse, { clientId: string }>({
      query: ({ clientId }) => at(`clients/${encodeURIComponent(clientId)}`, {}),
      responseSchema: clientResponse,
      ...readsAll,
    }),
    getStatement: build.query<
      StatementResponse,
      { readonly clientId: string; readonly asOf?: string | undefined }
    >({
      query: ({ clientId, ...days }) =>
        at(`clients/${encodeURIComponent(clientId)}/statement`, days),
      responseSchema: statementResponse,
      ...readsAll,
    }),
    addClient: build.mutation<
      z.infer<typeof addClientResponse>,
      Omit<Keyed<AddClientRequest>, 'id'>
    >({
      query: (request) => post('clients', request),
      responseSchema: addClientResponse,
      ...changesAll,
    }),
    /** `id`: of the client. */
    addInvoice: build.mutation<z.infer<typeof addInvoiceResponse>, Keyed<AddInvoiceRequest>>({
      query: ({ id, ...request }) => post(`clients/${encodeURIComponent(id)}/invoices`, request),
      responseSchema: addInvoiceResponse,
      ...changesAll,
    }),
    /** `id`: of the receivable. */
    actOnInvoice: build.mutation<z.infer<typeof invoiceActResponse>, Keyed<InvoiceAct>>({
      query: ({ id, ...request }) => post(`invoices/${encodeURIComponent(id)}/acts`, request),
      responseSchema: invoiceActResponse,
      ...changesAll,
    }),
    /** `id`: of the client. */
    actOnClient: build.mutation<z.infer<typeof clientActResponse>, Keyed<ClientAct>>({
      query: ({ id, ...request }) => post(`clients/${encodeURIComponent(id)}/acts`, request),
      responseSchema: clientActResponse,
      ...changesAll,
    }),
  }),
})

export const {
  useGetReceivablesOverviewQuery,
  useGetMoreNeedsYouQuery,
  useGetPayingQuery,
  useGetFigureEventsInfiniteQuery,
  useListInvoicesQuery,
  useGetInvoiceQuery,
  useListClientsQuery,
  useGetClientQuery,
  useGetStatementQuery,
  useAddClientMutation,
  useAddInvoiceMutation,
  useActOnInvoiceMutation,
  useActOnClientMutation,
} = receivablesApi
