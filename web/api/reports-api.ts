import {
  reportEventsResponse,
  reportResponse,
  reportsOverview,
  type ReportEventsQuery,
  type ReportEventsResponse,
  type ReportQuery,
  type ReportResponse,
  type ReportsOverview,
} from '#contracts/admin/reports'
import type { ReportName } from '#contracts/finance/report-columns'
import { listParams } from './admin-api.ts'
import { api } from './api.ts'

/** A figure: the report with its parameters, the texts of its row, and the column. */
export type FigureQuery = { readonly name: ReportName } & Omit<ReportEventsQuery, 'after'>

const reportsApi = api.injectEndpoints({
  endpoints: (build) => ({
    getReportsOverview: build.query<ReportsOverview, void>({
      query: () => '/api/admin/reports',
      responseSchema: reportsOverview,
      providesTags: ['Reports'],
    }),
    getReport: build.query<ReportResponse, { readonly name: ReportName } & ReportQuery>({
      query: ({ name, ...query }) => `/api/admin/reports/${name}?${listParams(query)}`,
      responseSchema: reportResponse,
      providesTags: ['Reports'],
    }),
    /** The events behind a figure. */
    getReportEvents: build.infiniteQuery<ReportEventsResponse, FigureQuery, string | null>({
      query: ({ queryArg: { name, column, plan, reason, type, ...query }, pageParam }) => {
        const params = listParams({ ...query, column, after: pageParam ?? undefined })
        // An empty text selects the rows with an empty cell.
        for (const [key, text] of Object.entries({ plan, reason, type }))
          if (text !== undefined) params.set(key, text)
        return `/api/admin/reports/${name}/events?${params}`
      },
      infiniteQueryOptions: {
        initialPageParam: null,
        getNextPageParam: ({ next }) => next,
      },
      responseSchema: reportEventsResponse,
      providesTags: ['Reports'],
    }),
  }),
})

export const { useGetReportsOverviewQuery, useGetReportQuery, useGetReportEventsInfiniteQuery } =
  reportsApi
