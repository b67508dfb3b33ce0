import type { z } from 'zod'
import {
  refundablePayment,
  refundPaymentResponse,
  type RefundablePayment,
  type refundPaymentRequest,
} from '#contracts/admin/refund-payment'
import { api } from './api.ts'

const refundPaymentApi = api.injectEndpoints({
  endpoints: (build) => ({
    getRefundable: build.query<RefundablePayment, { readonly paymentId: string }>({
      query: ({ paymentId }) => `/api/admin/payments/${encodeURIComponent(paymentId)}/refundable`,
      responseSchema: refundablePayment,
    }),
    /** Also after a failure: the refund may have been made although the answer was lost. */
    refundPayment: build.mutation<
      z.infer<typeof refundPaymentResponse>,
      z.input<typeof refundPaymentRequest> & { readonly paymentId: string }
    >({
      query: ({ paymentId, ...body }) => ({
        url: `/api/admin/payments/${encodeURIComponent(paymentId)}/refunds`,
        method: 'POST',
        body,
      }),
      responseSchema: refundPaymentResponse,
      invalidatesTags: [
        'AdminPayments',
        'AdminRefunds',
        'AdminRefundProposals',
        'AdminSummary',
        'AdminUsers',
        'AdminHistory',
      ],
    }),
  }),
})

export const { useGetRefundableQuery, useRefundPaymentMutation } = refundPaymentApi
