import type { z } from 'zod'
import {
  apiKeysResponse,
  makeApiKeyResponse,
  revokeApiKeyResponse,
  type ApiKeysResponse,
  type makeApiKeyRequest,
} from '#contracts/receivables/api-keys'
import { api } from './api.ts'

const path = '/api/receivables/keys'
const changesKeys = { invalidatesTags: ['Receivables'] } as const

const apiKeysApi = api.injectEndpoints({
  endpoints: (build) => ({
    listApiKeys: build.query<ApiKeysResponse, void>({
      query: () => path,
      responseSchema: apiKeysResponse,
      providesTags: ['Receivables'],
    }),
    /** Also refetches after a lost answer: the key was made, and is in the list. */
    makeApiKey: build.mutation<
      z.infer<typeof makeApiKeyResponse>,
      { readonly key: string; readonly body: z.infer<typeof makeApiKeyRequest> }
    >({
      query: ({ key, body }) => ({
        url: path,
        method: 'POST',
        headers: { 'Idempotency-Key': key },
        body,
      }),
      responseSchema: makeApiKeyResponse,
      ...changesKeys,
    }),
    revokeApiKey: build.mutation<z.infer<typeof revokeApiKeyResponse>, { readonly keyId: string }>({
      query: ({ keyId }) => ({
        url: `${path}/${encodeURIComponent(keyId)}/revoke`,
        method: 'POST',
        body: {},
      }),
      responseSchema: revokeApiKeyResponse,
      ...changesKeys,
    }),
  }),
})

export const { useListApiKeysQuery, useMakeApiKeyMutation, useRevokeApiKeyMutation } = apiKeysApi
