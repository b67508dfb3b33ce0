import {
  activityResponse,
  rawEventResponse,
  totalEventsResponse,
  userHistoryResponse,
  type ActivityQuery,
  type HistoryPage,
  type RawEventResponse,
  type TotalEventsQuery,
  type UserHistoryQuery,
  type UserHistoryResponse,
} from '#contracts/admin/history'
import { api } from './api.ts'

/** The place of an event in the log. */
export interface EventPlace {
  readonly stream: string
  readonly revision: number
}

/** The pages of a list load one after the other. Each page names the place of the next page. */
const pages = {
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }: { next: string | null }) => next ?? undefined,
}

const historyApi = api.injectEndpoints({
  endpoints: (build) => ({
    getUserHistory: build.infiniteQuery<
      UserHistoryResponse,
      { userId: string } & Pick<UserHistoryQuery, 'kind' | 'asOf' | 'person' | 'from' | 'to'>,
      string | null
    >({
      query: ({ queryArg: { userId, ...query }, pageParam }) =>
        `/api/admin/users/${encodeURIComponent(userId)}/history?${params(query, pageParam)}`,
      infiniteQueryOptions: pages,
      responseSchema: userHistoryResponse,
      providesTags: ['AdminHistory'],
    }),
    getActivity: build.infiniteQuery<
      HistoryPage,
      Pick<ActivityQuery, 'kind' | 'person' | 'from' | 'to'>,
      string | null
    >({
      query: ({ queryArg, pageParam }) => `/api/admin/activity?${params(queryArg, pageParam)}`,
      infiniteQueryOptions: pages,
      responseSchema: activityResponse,
      providesTags: ['AdminActivity'],
    }),
    getTotalEvents: build.infiniteQuery<
      HistoryPage,
      Pick<TotalEventsQuery, 'total'>,
      string | null
    >({
      query: ({ queryArg, pageParam }) => `/api/admin/events?${params(queryArg, pageParam)}`,
      infiniteQueryOptions: pages,
      responseSchema: totalEventsResponse,
      providesTags: ['AdminHistory'],
    }),
    /** The event as the log holds it. */
    getRawEvent: build.query<RawEventResponse, EventPlace>({
      query: rawEventAddress,
      responseSchema: rawEventResponse,
      providesTags: ['AdminHistory'],
    }),
    /** The event with the data of a client. Each call is recorded. */
    openClientData: build.mutation<RawEventResponse, EventPlace>({
      query: (place) => ({ url: `${rawEventAddress(place)}/client-data`, method: 'POST' }),
      responseSchema: rawEventResponse,
      invalidatesTags: ['AdminHistory', 'AdminActivity'],
    }),
  }),
})

function rawEventAddress({ stream, revision }: EventPlace): string {
  return `/api/admin/events/${encodeURIComponent(stream)}/${revision}`
}

export const {
  useGetUserHistoryInfiniteQuery,
  useGetActivityInfiniteQuery,
  useGetTotalEventsInfiniteQuery,
  useGetRawEventQuery,
  useOpenClientDataMutation,
} = historyApi

function params(query: Readonly<Record<string, string | undefined>>, after: string | null) {
  const given = Object.entries({ ...query, after: after ?? undefined }).flatMap(
    ([key, value]): [string, string][] => (value === undefined ? [] : [[key, value]]),
  )
  return new URLSearchParams(given)
}
