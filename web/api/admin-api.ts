import type { z } from 'zod'
import { updateUserEmailResponse, type updateUserEmailRequest } from '#contracts/admin/accounts'
import { adminLoginResponse, type adminLoginRequest } from '#contracts/admin/sign-in'
import { adminSummary, type AdminSummary } from '#contracts/admin/summary'
import { adminUsersResponse, type AdminUsersQuery } from '#contracts/admin/users'
import { subscriptionChangesResponse } from '#contracts/purchases'
import { api, tagTypes } from './api.ts'

const adminApi = api.injectEndpoints({
  endpoints: (build) => ({
    adminLogin: build.mutation<
      z.infer<typeof adminLoginResponse>,
      z.input<typeof adminLoginRequest>
    >({
      query: (body) => ({ url: '/api/admin/login', method: 'POST', body }),
      responseSchema: adminLoginResponse,
    }),
    adminLogout: build.mutation<unknown, void>({
      query: () => ({ url: '/api/admin/logout', method: 'POST' }),
    }),
    getAdminSummary: build.query<AdminSummary, void>({
      query: () => '/api/admin/summary',
      responseSchema: adminSummary,
      providesTags: ['AdminSummary'],
    }),
    listUsers: build.query<z.infer<typeof adminUsersResponse>, AdminUsersQuery>({
      query: (query) => `/api/admin/users?${listParams(query)}`,
      responseSchema: adminUsersResponse,
      providesTags: ['AdminUsers'],
    }),
    updateUserEmail: build.mutation<
      z.infer<typeof updateUserEmailResponse>,
      z.input<typeof updateUserEmailRequest>
    >({
      query: (body) => ({ url: '/api/admin/update-user-email', method: 'POST', body }),
      responseSchema: updateUserEmailResponse,
      invalidatesTags: (updated) => (updated ? ['AdminUsers'] : []),
    }),
    getUserPlanChanges: build.query<
      z.infer<typeof subscriptionChangesResponse>,
      { userId: string }
    >({
      query: ({ userId }) => `/api/admin/subscription-changes?${new URLSearchParams({ userId })}`,
      responseSchema: subscriptionChangesResponse,
      providesTags: ['AdminHistory'],
    }),
  }),
})

/** The tags that Refresh reloads: all data of the administrator's pages. */
export const adminTags = tagTypes.filter((tag) => tag === 'Session' || tag.startsWith('Admin'))

export const {
  useAdminLoginMutation,
  useAdminLogoutMutation,
  useGetAdminSummaryQuery,
  useListUsersQuery,
  useGetUserPlanChangesQuery,
  useUpdateUserEmailMutation,
} = adminApi

function listParams(query: AdminUsersQuery): URLSearchParams {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return new URLSearchParams(given.map(([key, value]) => [key, String(value)]))
}
