import type { z } from 'zod'
import {
  createCheckoutSessionResponse,
  plansResponse,
  type createCheckoutSessionRequest,
} from '#contracts/checkout'
import { api } from './api.ts'

interface CheckoutCall {
  readonly request: z.input<typeof createCheckoutSessionRequest>
  /** One key per click: a repeated request starts no second checkout. */
  readonly idempotencyKey: string
}

export const checkoutApi = api.injectEndpoints({
  endpoints: (build) => ({
    listPlans: build.query<z.output<typeof plansResponse>, void>({
      query: () => '/api/plans',
      responseSchema: plansResponse,
      providesTags: ['Plans'],
    }),
    createCheckoutSession: build.mutation<
      z.output<typeof createCheckoutSessionResponse>,
      CheckoutCall
    >({
      query: ({ request, idempotencyKey }) => ({
        url: '/api/create-checkout-session',
        method: 'POST',
        body: request,
        headers: { 'Idempotency-Key': idempotencyKey },
      }),
      responseSchema: createCheckoutSessionResponse,
    }),
  }),
})
