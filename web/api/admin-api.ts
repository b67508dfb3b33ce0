import type { z } from 'zod'
import {
  toggleBlockResponse,
  updateUserEmailResponse,
  type updateUserEmailRequest,
} from '#contracts/admin/accounts'
import {
  adminSubscriptionsResponse,
  type AdminSubscriptionsQuery,
} from '#contracts/admin/active-subscriptions'
import {
  adminEnquiriesResponse,
  updateEnquiryResponse,
  type AdminEnquiriesQuery,
  type updateEnquiryRequest,
} from '#contracts/admin/enquiries'
import {
  sendingActResponse,
  sendingResponse,
  type SendingAct,
  type SendingResponse,
} from '#contracts/admin/sending'
import type { AdminListName } from '#contracts/admin/lists'
import { adminPaymentsResponse, type AdminPaymentsQuery } from '#contracts/admin/payments'
import {
  adminRefundsResponse,
  overrideRefundResponse,
  type AdminRefundsQuery,
  type overrideRefundRequest,
} from '#contracts/admin/refunds'
import {
  adminCodeResponse,
  adminLoginResponse,
  type adminCodeRequest,
  type adminLoginRequest,
} from '#contracts/admin/sign-in'
import { adminSummary, type AdminSummary } from '#contracts/admin/summary'
import { adminUsersResponse, type AdminUsersQuery } from '#contracts/admin/users'
import { senderNameResponse, type SenderNameResponse } from '#contracts/receivables/brand'
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
      // A page may have read the session before the sign-in.
      invalidatesTags: (answer) => (answer?.isAdmin === true ? ['Session'] : []),
    }),
    adminCode: build.mutation<z.infer<typeof adminCodeResponse>, z.input<typeof adminCodeRequest>>({
      query: (body) => ({ url: '/api/admin/login/code', method: 'POST', body }),
      responseSchema: adminCodeResponse,
      invalidatesTags: (answer) => (answer === undefined ? [] : ['Session']),
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
      query: (query) => listUrl('users', query),
      responseSchema: adminUsersResponse,
      providesTags: ['AdminUsers'],
    }),
    listPayments: build.query<z.infer<typeof adminPaymentsResponse>, AdminPaymentsQuery>({
      query: (query) => listUrl('payments', query),
      responseSchema: adminPaymentsResponse,
      providesTags: ['AdminPayments'],
    }),
    listActivePlans: build.query<
      z.infer<typeof adminSubscriptionsResponse>,
      AdminSubscriptionsQuery
    >({
      query: (query) => listUrl('active-subscriptions', query),
      responseSchema: adminSubscriptionsResponse,
      providesTags: ['AdminActivePlans'],
    }),
    listEnquiries: build.query<z.infer<typeof adminEnquiriesResponse>, AdminEnquiriesQuery>({
      query: (query) => listUrl('enquiries', query),
      responseSchema: adminEnquiriesResponse,
      providesTags: ['AdminEnquiries'],
    }),
    listRefunds: build.query<z.infer<typeof adminRefundsResponse>, AdminRefundsQuery>({
      query: (query) => listUrl('refunds', query),
      responseSchema: adminRefundsResponse,
      providesTags: ['AdminRefunds'],
    }),
    /** Also after a failure: the block may have been recorded although the answer was lost. */
    setBlocked: build.mutation<
      z.infer<typeof toggleBlockResponse>,
      { readonly userId: string; readonly blocked: boolean }
    >({
      query: ({ userId, ...body }) => ({
        url: `/api/admin/users/${encodeURIComponent(userId)}/toggle-block`,
        method: 'POST',
        body,
      }),
      responseSchema: toggleBlockResponse,
      invalidatesTags: [
        'AdminSummary',
        'AdminUsers',
        'AdminPayments',
        'AdminActivePlans',
        'AdminSubscriptions',
        'AdminHistory',
      ],
    }),
    getSending: build.query<SendingResponse, { readonly userId: string }>({
      query: ({ userId }) => sendingOf(userId),
      responseSchema: sendingResponse,
      providesTags: ['AdminHistory'],
    }),
    /** Also after a failure: the act may have been recorded although the answer was lost. */
    actOnSending: build.mutation<
      z.infer<typeof sendingActResponse>,
      { readonly userId: string; readonly act: SendingAct }
    >({
      query: ({ userId, act }) => ({ url: sendingOf(userId), method: 'POST', body: act }),
      responseSchema: sendingActResponse,
      invalidatesTags: ['AdminHistory'],
    }),
    getSenderName: build.query<SenderNameResponse, { readonly userId: string }>({
      query: ({ userId }) => senderNameOf(userId),
      responseSchema: senderNameResponse,
      providesTags: ['AdminHistory'],
    }),
    /** Also after a failure: the name may have been approved although the answer was lost. */
    approveSenderName: build.mutation<
      SenderNameResponse,
      { readonly userId: string; readonly name: string }
    >({
      query: ({ userId, name }) => ({ url: senderNameOf(userId), method: 'POST', body: { name } }),
      responseSchema: senderNameResponse,
      invalidatesTags: ['AdminHistory'],
    }),
    updateEnquiry: build.mutation<
      z.infer<typeof updateEnquiryResponse>,
      z.input<typeof updateEnquiryRequest> & { readonly enquiryId: string }
    >({
      query: ({ enquiryId, ...body }) => ({
        url: `/api/admin/enquiries/${encodeURIComponent(enquiryId)}`,
        method: 'PATCH',
        body,
      }),
      responseSchema: updateEnquiryResponse,
      invalidatesTags: ['AdminEnquiries', 'AdminSummary', 'AdminHistory'],
    }),
    overrideRefund: build.mutation<
      z.infer<typeof overrideRefundResponse>,
      z.input<typeof overrideRefundRequest> & { readonly refundId: string }
    >({
      query: ({ refundId, ...body }) => ({
        url: `/api/admin/refunds/${encodeURIComponent(refundId)}`,
        method: 'PATCH',
        body,
      }),
      responseSchema: overrideRefundResponse,
      invalidatesTags: ['AdminRefunds', 'AdminSummary', 'AdminHistory'],
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
export const adminTags = tagTypes.filter(
  (tag) => tag === 'Session' || tag === 'Reports' || tag.startsWith('Admin'),
)

export const {
  useAdminCodeMutation,
  useAdminLoginMutation,
  useAdminLogoutMutation,
  useGetAdminSummaryQuery,
  useListUsersQuery,
  useListPaymentsQuery,
  useListActivePlansQuery,
  useListEnquiriesQuery,
  useListRefundsQuery,
  useSetBlockedMutation,
  useUpdateEnquiryMutation,
  useOverrideRefundMutation,
  useGetUserPlanChangesQuery,
  useGetSendingQuery,
  useActOnSendingMutation,
  useGetSenderNameQuery,
  useApproveSenderNameMutation,
  useUpdateUserEmailMutation,
} = adminApi

const senderNameOf = (userId: string) =>
  `/api/admin/users/${encodeURIComponent(userId)}/sender-name`
const sendingOf = (userId: string) => `/api/admin/users/${encodeURIComponent(userId)}/sending`

const listUrl = (list: AdminListName, query: object) => `/api/admin/${list}?${listParams(query)}`

/** The parameters of a list or an export. Empty values are left out. */
export function listParams(query: object): URLSearchParams {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return new URLSearchParams(given.map(([key, value]) => [key, String(value)]))
}
