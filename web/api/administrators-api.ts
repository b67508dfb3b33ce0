import type { z } from 'zod'
import {
  administratorChanged,
  administratorsResponse,
  type addAdministratorRequest,
  type changeRoleRequest,
  type renameAdministratorRequest,
} from '#contracts/admin/administrators'
import { removePasskeysResponse } from '#contracts/admin/passkeys'
import { api } from './api.ts'

type Changed = z.infer<typeof administratorChanged>

/** Also after a refusal: another owner may have changed the person meanwhile. */
const changes = ['AdminAdministrators', 'AdminActivity', 'Session'] as const

const administratorsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listAdministrators: build.query<z.infer<typeof administratorsResponse>, void>({
      query: () => '/api/admin/administrators',
      responseSchema: administratorsResponse,
      providesTags: ['AdminAdministrators'],
    }),
    addAdministrator: build.mutation<
      Changed,
      z.input<typeof addAdministratorRequest> & { readonly key: string }
    >({
      query: ({ key, ...body }) => ({
        url: '/api/admin/administrators',
        method: 'POST',
        body,
        headers: { 'Idempotency-Key': key },
      }),
      responseSchema: administratorChanged,
      invalidatesTags: [...changes],
    }),
    changeRole: build.mutation<
      Changed,
      z.input<typeof changeRoleRequest> & { readonly id: string }
    >({
      query: ({ id, ...body }) => ({
        url: `/api/admin/administrators/${encodeURIComponent(id)}`,
        method: 'PATCH',
        body,
      }),
      responseSchema: administratorChanged,
      invalidatesTags: [...changes],
    }),
    renameAdministrator: build.mutation<
      Changed,
      z.input<typeof renameAdministratorRequest> & { readonly id: string }
    >({
      query: ({ id, ...body }) => ({
        url: `/api/admin/administrators/${encodeURIComponent(id)}/rename`,
        method: 'POST',
        body,
      }),
      responseSchema: administratorChanged,
      invalidatesTags: [...changes, 'AdminHistory', 'AdminRefundProposals', 'AdminExportProposals'],
    }),
    endAdministrator: build.mutation<Changed, { readonly id: string }>({
      query: ({ id }) => ({
        url: `/api/admin/administrators/${encodeURIComponent(id)}/end`,
        method: 'POST',
      }),
      responseSchema: administratorChanged,
      invalidatesTags: [...changes],
    }),
    removePasskeys: build.mutation<z.infer<typeof removePasskeysResponse>, { readonly id: string }>(
      {
        query: ({ id }) => ({
          url: `/api/admin/administrators/${encodeURIComponent(id)}/remove-passkeys`,
          method: 'POST',
        }),
        responseSchema: removePasskeysResponse,
        invalidatesTags: [...changes, 'AdminPasskeys'],
      },
    ),
  }),
})

export const {
  useListAdministratorsQuery,
  useAddAdministratorMutation,
  useChangeRoleMutation,
  useRenameAdministratorMutation,
  useEndAdministratorMutation,
  useRemovePasskeysMutation,
} = administratorsApi
