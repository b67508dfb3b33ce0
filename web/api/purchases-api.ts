import type { z } from 'zod'
import {
  createPortalSessionResponse,
  planOptionsResponse,
  type createPortalSessionRequest,
  type PlanOptionsResponse,
} from '#contracts/checkout'
import { keepPlanResponse } from '#contracts/keep-plan'
import {
  paymentsResponse,
  subscriptionChangesResponse,
  type PaymentsResponse,
} from '#contracts/purchases'
import { api } from './api.ts'

const purchasesApi = api.injectEndpoints({
  endpoints: (build) => ({
    /**
     * A customer's payments, refunds and subscriptions. /purchases and the confirmation page share
     * this cache entry.
     */
    getPurchases: build.query<PaymentsResponse, { email: string }>({
      query: ({ email }) => `/api/payments?${new URLSearchParams({ email })}`,
      responseSchema: paymentsResponse,
      providesTags: ['Purchases'],
    }),
    /** The plan changes of a customer, newest first. */
    getPlanChanges: build.query<z.infer<typeof subscriptionChangesResponse>, { userId: string }>({
      query: ({ userId }) => `/api/subscription-changes/${encodeURIComponent(userId)}`,
      responseSchema: subscriptionChangesResponse,
      providesTags: ['SubscriptionChanges'],
    }),
    /** The plans that the customer can move to. A sync can change them. */
    getPlanOptions: build.query<PlanOptionsResponse, void>({
      query: () => '/api/plan-options',
      responseSchema: planOptionsResponse,
      providesTags: ['Subscriptions'],
    }),
    /** The page's data is refetched also after a refusal: it was out of date. */
    keepPlan: build.mutation<z.infer<typeof keepPlanResponse>, { subscriptionId: string }>({
      query: (body) => ({ url: '/api/keep-plan', method: 'POST', body }),
      responseSchema: keepPlanResponse,
      invalidatesTags: ['Purchases', 'Subscriptions', 'SubscriptionChanges'],
    }),
    createPortalSession: build.mutation<
      z.infer<typeof createPortalSessionResponse>,
      z.input<typeof createPortalSessionRequest>
    >({
      query: (body) => ({ url: '/api/create-customer-portal-session', method: 'POST', body }),
      responseSchema: createPortalSessionResponse,
    }),
  }),
})

export const {
  useGetPurchasesQuery,
  useGetPlanChangesQuery,
  useGetPlanOptionsQuery,
  useKeepPlanMutation,
  useCreatePortalSessionMutation,
} = purchasesApi
