import { sessionResponse, type SessionResponse } from '#contracts/auth'
import { api } from './api.ts'

const sessionApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Who is asking, and what day it is: a visitor gets an answer too. */
    getSession: build.query<SessionResponse, void>({
      query: () => '/api/auth/session',
      responseSchema: sessionResponse,
      providesTags: ['Session'],
    }),
  }),
})

export const { useGetSessionQuery, useLazyGetSessionQuery } = sessionApi
