import type { z } from 'zod'
import type { decideProposalRequest } from '#contracts/admin/decide-proposal'
import {
  exportProposalChanged,
  exportProposalsResponse,
  type proposeExportRequest,
} from '#contracts/admin/export-proposals'
import { api } from './api.ts'

const changes = ['AdminExportProposals', 'AdminActivity'] as const

const exportProposalsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listExportProposals: build.query<z.infer<typeof exportProposalsResponse>, void>({
      query: () => '/api/admin/export-proposals',
      responseSchema: exportProposalsResponse,
      providesTags: ['AdminExportProposals'],
    }),
    proposeExport: build.mutation<
      z.infer<typeof exportProposalChanged>,
      z.input<typeof proposeExportRequest>
    >({
      query: (body) => ({ url: '/api/admin/export-proposals', method: 'POST', body }),
      responseSchema: exportProposalChanged,
      invalidatesTags: [...changes],
    }),
    /** Also after a failure: another administrator may have decided meanwhile. */
    decideExport: build.mutation<
      z.infer<typeof exportProposalChanged>,
      z.input<typeof decideProposalRequest> & { readonly exporter: string; readonly id: string }
    >({
      query: ({ exporter, id, ...body }) => ({
        url: `/api/admin/export-proposals/${encodeURIComponent(exporter)}/${encodeURIComponent(id)}/decision`,
        method: 'POST',
        body,
      }),
      responseSchema: exportProposalChanged,
      invalidatesTags: [...changes],
    }),
  }),
})

export const { useListExportProposalsQuery, useProposeExportMutation, useDecideExportMutation } =
  exportProposalsApi
