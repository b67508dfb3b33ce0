import type { z } from 'zod'
import type { decideProposalRequest } from '#contracts/admin/decide-proposal'
import { refundDecided, refundProposalsResponse } from '#contracts/admin/refund-proposals'
import { api } from './api.ts'

const refundProposalsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listRefundProposals: build.query<z.infer<typeof refundProposalsResponse>, void>({
      query: () => '/api/admin/refund-proposals',
      responseSchema: refundProposalsResponse,
      providesTags: ['AdminRefundProposals'],
    }),
    /** Also after a failure: another administrator may have decided meanwhile. */
    decideRefund: build.mutation<
      z.infer<typeof refundDecided>,
      z.input<typeof decideProposalRequest> & { readonly userId: string; readonly id: string }
    >({
      query: ({ userId, id, ...body }) => ({
        url: `/api/admin/refund-proposals/${encodeURIComponent(userId)}/${encodeURIComponent(id)}/decision`,
        method: 'POST',
        body,
      }),
      responseSchema: refundDecided,
      invalidatesTags: [
        'AdminRefundProposals',
        'AdminPayments',
        'AdminRefunds',
        'AdminSummary',
        'AdminUsers',
        'AdminHistory',
        'AdminActivity',
      ],
    }),
  }),
})

export const { useListRefundProposalsQuery, useDecideRefundMutation } = refundProposalsApi
