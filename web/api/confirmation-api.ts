import type { z } from 'zod'
import { billingSyncResponse } from '#contracts/checkout'
import {
  paymentsResponse,
  subscriptionsResponse,
  type PaymentsResponse,
  type Subscription,
} from '#contracts/purchases'
import { api } from './api.ts'

const confirmationApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Has the server ask the payment provider once, for when this page is faster than the webhook. */
    syncBilling: build.mutation<z.infer<typeof billingSyncResponse>, void>({
      query: () => ({ url: '/api/billing/sync', method: 'POST' }),
      responseSchema: billingSyncResponse,
      invalidatesTags: ['Purchases', 'Subscriptions', 'SubscriptionChanges', 'Session'],
    }),
    getPayments: build.query<PaymentsResponse, { email: string }>({
      query: ({ email }) => `/api/payments?${new URLSearchParams({ email })}`,
      responseSchema: paymentsResponse,
      providesTags: ['Purchases'],
    }),
    getSubscriptions: build.query<Subscription[], { email: string }>({
      query: ({ email }) => `/api/subscriptions?${new URLSearchParams({ email })}`,
      responseSchema: subscriptionsResponse,
      providesTags: ['Subscriptions'],
    }),
  }),
})

export const { useSyncBillingMutation, useGetPaymentsQuery, useGetSubscriptionsQuery } =
  confirmationApi
