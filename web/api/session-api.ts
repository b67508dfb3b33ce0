import { sessionResponse, type SessionResponse } from '#contracts/auth'
import { api } from './api.ts'

export const sessionApi = api.injectEndpoints({
  endpoints: (build) => ({
    /**
     * The caller's session and the server's time. A visitor without a session also receives an
     * answer.
     */
    getSession: build.query<SessionResponse, void>({
      query: () => '/api/auth/session',
      responseSchema: sessionResponse,
      providesTags: ['Session'],
    }),
  }),
})

export const { useGetSessionQuery, useLazyGetSessionQuery } = sessionApi
