import type { z } from 'zod'
import {
  checkImportResponse,
  importActResponse,
  importResponse,
  importRowsResponse,
  importsPage,
  missingInvoicesResponse,
  startImportResponse,
  type finishImportRequest,
  type importsQuery,
  type ImportsPage,
  type ImportSummary,
  type missingInvoicesRequest,
  type SentRow,
  type startImportRequest,
} from '#contracts/receivables/imports'
import { api } from './api.ts'
import { queryString } from './receivables-api.ts'

export type StartImportRequest = z.infer<typeof startImportRequest>
export type FinishImportRequest = z.infer<typeof finishImportRequest>
export type MissingInvoices = z.infer<typeof missingInvoicesResponse>
export type StoredImport = z.infer<typeof importResponse>

const post = (path: string, body: unknown, key?: string) => ({
  url: `/api/receivables/imports${path}`,
  method: 'POST' as const,
  ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
  body,
})

const ofImport = (importId: string) => `/${encodeURIComponent(importId)}`

/**
 * The calls of an import. Only the calls that end it refetch the other pages: its many parts would
 * refetch them as often.
 */
const importsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listImports: build.query<ImportsPage, z.input<typeof importsQuery>>({
      query: (query) => `/api/receivables/imports?${queryString(query)}`,
      responseSchema: importsPage,
      providesTags: ['Receivables'],
    }),
    /** Stores nothing. 500 rows at most. */
    checkImport: build.mutation<z.infer<typeof checkImportResponse>, readonly SentRow[]>({
      query: (rows) => post('/check', { rows }),
      responseSchema: checkImportResponse,
    }),
    /** Stores nothing. */
    findMissingInvoices: build.mutation<MissingInvoices, z.input<typeof missingInvoicesRequest>>({
      query: (body) => post('/missing', body),
      responseSchema: missingInvoicesResponse,
    }),
    startImport: build.mutation<
      z.infer<typeof startImportResponse>,
      { readonly key: string; readonly body: StartImportRequest }
    >({
      query: ({ key, body }) => post('', body, key),
      responseSchema: startImportResponse,
    }),
    getStoredRows: build.mutation<StoredImport, { readonly importId: string }>({
      query: ({ importId }) => `/api/receivables/imports${ofImport(importId)}?pageSize=1`,
      responseSchema: importResponse,
    }),
    /** 500 rows at most. A row that was stored before answers as then. */
    storeImportRows: build.mutation<
      z.infer<typeof importRowsResponse>,
      { readonly importId: string; readonly rows: readonly SentRow[] }
    >({
      query: ({ importId, rows }) => post(`${ofImport(importId)}/rows`, { rows }),
      responseSchema: importRowsResponse,
    }),
    finishImport: build.mutation<
      ImportSummary,
      { readonly importId: string; readonly body: FinishImportRequest }
    >({
      query: ({ importId, body }) => post(`${ofImport(importId)}/finish`, body),
      responseSchema: importActResponse,
      invalidatesTags: ['Receivables'],
    }),
    undoImport: build.mutation<ImportSummary, { readonly importId: string; readonly key: string }>({
      query: ({ importId, key }) => post(`${ofImport(importId)}/undo`, {}, key),
      responseSchema: importActResponse,
      invalidatesTags: ['Receivables'],
    }),
  }),
})

export const {
  useListImportsQuery,
  useCheckImportMutation,
  useFindMissingInvoicesMutation,
  useStartImportMutation,
  useGetStoredRowsMutation,
  useStoreImportRowsMutation,
  useFinishImportMutation,
  useUndoImportMutation,
} = importsApi
