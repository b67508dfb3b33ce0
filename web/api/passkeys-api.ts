import type { z } from 'zod'
import {
  passkeyCreationOptions,
  passkeyLoginResponse,
  passkeyRequestOptions,
  passkeySignInResponse,
  passkeysResponse,
  type addPasskeyRequest,
  type PasskeysResponse,
  type passkeyAssertion,
  type renamePasskeyRequest,
} from '#contracts/admin/passkeys'
import { api } from './api.ts'

type Passkeys = PasskeysResponse
const pathOf = (passkeyId: string) => `/api/admin/passkeys/${encodeURIComponent(passkeyId)}`

const passkeysApi = api.injectEndpoints({
  endpoints: (build) => ({
    getPasskeyLogin: build.query<z.infer<typeof passkeyLoginResponse>, void>({
      query: () => '/api/admin/login/passkey',
      responseSchema: passkeyLoginResponse,
    }),
    startPasskeyLogin: build.mutation<z.infer<typeof passkeyRequestOptions>, void>({
      query: () => ({ url: '/api/admin/login/passkey/options', method: 'POST' }),
      responseSchema: passkeyRequestOptions,
    }),
    finishPasskeyLogin: build.mutation<
      z.infer<typeof passkeySignInResponse>,
      z.input<typeof passkeyAssertion>
    >({
      query: (body) => ({ url: '/api/admin/login/passkey', method: 'POST', body }),
      responseSchema: passkeySignInResponse,
    }),
    listPasskeys: build.query<Passkeys, void>({
      query: () => '/api/admin/passkeys',
      responseSchema: passkeysResponse,
      providesTags: ['AdminPasskeys'],
    }),
    startPasskey: build.mutation<z.infer<typeof passkeyCreationOptions>, void>({
      query: () => ({ url: '/api/admin/passkeys/options', method: 'POST' }),
      responseSchema: passkeyCreationOptions,
    }),
    addPasskey: build.mutation<Passkeys, z.input<typeof addPasskeyRequest>>({
      query: (body) => ({ url: '/api/admin/passkeys', method: 'POST', body }),
      responseSchema: passkeysResponse,
      invalidatesTags: ['AdminPasskeys', 'AdminActivity'],
    }),
    renamePasskey: build.mutation<
      Passkeys,
      z.input<typeof renamePasskeyRequest> & { readonly passkeyId: string }
    >({
      query: ({ passkeyId, ...body }) => ({ url: pathOf(passkeyId), method: 'PATCH', body }),
      responseSchema: passkeysResponse,
      invalidatesTags: ['AdminPasskeys', 'AdminActivity'],
    }),
    removePasskey: build.mutation<Passkeys, { readonly passkeyId: string }>({
      query: ({ passkeyId }) => ({ url: `${pathOf(passkeyId)}/remove`, method: 'POST' }),
      responseSchema: passkeysResponse,
      invalidatesTags: ['AdminPasskeys', 'AdminActivity'],
    }),
  }),
})

export const {
  useGetPasskeyLoginQuery,
  useStartPasskeyLoginMutation,
  useFinishPasskeyLoginMutation,
  useListPasskeysQuery,
  useStartPasskeyMutation,
  useAddPasskeyMutation,
  useRenamePasskeyMutation,
  useRemovePasskeyMutation,
} = passkeysApi
