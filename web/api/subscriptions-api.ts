import type { z } from 'zod'
import {
  billingSyncResponse,
  checkoutSessionResponse,
  type CheckoutSessionResponse,
} from '#contracts/checkout'
import { subscriptionsResponse, type Subscription } from '#contracts/purchases'
import { api } from './api.ts'

const subscriptionsApi = api.injectEndpoints({
  endpoints: (build) => ({
    /**
     * The server reads the customer's state from the payment provider once, because the webhook may
     * arrive later than the browser. The client then refetches the data that a sync can change,
     * also after a failed sync. With a moment, the answer has what changed since then.
     */
    syncBilling: build.mutation<z.infer<typeof billingSyncResponse>, number | undefined | void>({
      query: (since) => ({
        url: since === undefined ? '/api/billing/sync' : `/api/billing/sync?since=${since}`,
        method: 'POST',
      }),
      responseSchema: billingSyncResponse,
      invalidatesTags: ['Purchases', 'Subscriptions', 'SubscriptionChanges', 'Session'],
    }),
    getSubscriptions: build.query<Subscription[], { email: string }>({
      query: ({ email }) => `/api/subscriptions?${new URLSearchParams({ email })}`,
      responseSchema: subscriptionsResponse,
      providesTags: ['Subscriptions'],
    }),
    /** What became of a checkout. 404 if the customer has no such checkout. */
    getCheckoutSession: build.query<CheckoutSessionResponse, { sessionId: string }>({
      query: ({ sessionId }) => `/api/checkout-sessions/${encodeURIComponent(sessionId)}`,
      responseSchema: checkoutSessionResponse,
    }),
    getUserSubscriptions: build.query<Subscription[], { userId: string }>({
      query: ({ userId }) => `/api/subscriptions/${encodeURIComponent(userId)}`,
      extraOptions: { session: 'admin' },
      responseSchema: subscriptionsResponse,
      providesTags: ['AdminSubscriptions'],
    }),
  }),
})

export const {
  useGetCheckoutSessionQuery,
  useGetSubscriptionsQuery,
  useGetUserSubscriptionsQuery,
  useSyncBillingMutation,
} = subscriptionsApi
