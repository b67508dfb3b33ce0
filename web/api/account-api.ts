import type { z } from 'zod'
import {
  profileResponse,
  sessionsResponse,
  type deleteAccountRequest,
  type ProfileResponse,
  type SessionsResponse,
  type updateProfileRequest,
} from '#contracts/account'
import { fetchFile, type FileResult } from '../lib/fetch-file.ts'
import { endSession } from '../lib/session-values.ts'
import { api } from './api.ts'

const accountApi = api.injectEndpoints({
  endpoints: (build) => ({
    getProfile: build.query<ProfileResponse, void>({
      query: () => '/api/profile',
      responseSchema: profileResponse,
      providesTags: ['Profile'],
    }),
    updateProfile: build.mutation<ProfileResponse, z.input<typeof updateProfileRequest>>({
      query: (body) => ({ url: '/api/profile', method: 'PATCH', body }),
      responseSchema: profileResponse,
      invalidatesTags: (result) => (result ? ['Profile', 'Purchases', 'Session'] : []),
    }),
    removeSecondaryEmail: build.mutation<unknown, void>({
      query: () => ({ url: '/api/profile/remove-secondary-email', method: 'POST' }),
      invalidatesTags: ['Profile', 'Purchases'],
    }),
    listSessions: build.query<SessionsResponse, void>({
      query: () => '/api/auth/sessions',
      responseSchema: sessionsResponse,
      providesTags: ['CustomerSessions'],
    }),
    signOutSession: build.mutation<unknown, { id: string }>({
      query: ({ id }) => ({ url: `/api/auth/sessions/${id}/end`, method: 'POST' }),
      invalidatesTags: ['CustomerSessions'],
    }),
    signOutEverywhere: build.mutation<unknown, void>({
      query: () => ({ url: '/api/auth/sign-out-everywhere', method: 'POST' }),
    }),
    deleteAccount: build.mutation<unknown, z.input<typeof deleteAccountRequest>>({
      query: (body) => ({ url: '/api/profile/delete', method: 'POST', body }),
    }),
  }),
})

export const {
  useGetProfileQuery,
  useLazyGetProfileQuery,
  useUpdateProfileMutation,
  useRemoveSecondaryEmailMutation,
  useListSessionsQuery,
  useSignOutSessionMutation,
  useSignOutEverywhereMutation,
  useDeleteAccountMutation,
} = accountApi

/** Everything that the product has recorded about the customer. The cache holds no files. */
export async function fetchOwnData(): Promise<FileResult> {
  const result = await fetchFile('/api/profile/data')
  if (result.error?.status === 401) endSession('customer')
  return result
}
