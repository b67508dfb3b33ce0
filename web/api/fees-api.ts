import { feesResponse, type FeesQuery, type FeesResponse } from '#contracts/receivables/fees'
import { api } from './api.ts'
import { queryString } from './receivables-api.ts'

type ListedFees = Pick<FeesQuery, 'month'>

const feesApi = api.injectEndpoints({
  endpoints: (build) => ({
    listFees: build.infiniteQuery<FeesResponse, ListedFees, string | null>({
      infiniteQueryOptions: {
        initialPageParam: null,
        getNextPageParam: ({ next }) => next,
      },
      query: ({ queryArg, pageParam }) =>
        `/api/receivables/fees?${queryString({ ...queryArg, after: pageParam, limit: 20 })}`,
      responseSchema: feesResponse,
      providesTags: ['Receivables'],
    }),
  }),
})

export const { useListFeesInfiniteQuery } = feesApi
