import type { z } from 'zod'
import {
  accountPageResponse,
  paymentSettingsResponse,
  type ChangeGatewayLinkRequest,
  type ChangeInstructionsRequest,
  type PaymentSettings,
} from '#contracts/receivables/payments'
import { api } from './api.ts'

/** One press of a button has one key, so that its repetition is recorded once. */
interface Keyed {
  readonly key: string
}

type AccountPage = z.infer<typeof accountPageResponse>

const path = '/api/receivables/payments'
const post = (to: string, { key }: Keyed, body?: unknown) => ({
  url: `${path}/${to}`,
  method: 'POST' as const,
  headers: { 'Idempotency-Key': key },
  body,
})
/** A refused change means that the page was out of date, so the data is refetched then, too. */
const changesAll = { invalidatesTags: ['Receivables'] } as const

const paymentsApi = api.injectEndpoints({
  endpoints: (build) => ({
    getPaymentSettings: build.query<PaymentSettings, void>({
      query: () => path,
      responseSchema: paymentSettingsResponse,
      providesTags: ['Receivables'],
    }),
    /** Asks the payment provider. Each account is asked when the page opens, and by a button. */
    refreshAccount: build.query<PaymentSettings, { readonly accountId: string }>({
      query: () => ({ url: `${path}/account/refresh`, method: 'POST' }),
      responseSchema: paymentSettingsResponse,
      keepUnusedDataFor: 0,
      async onQueryStarted(_account, { dispatch, queryFulfilled }) {
        // The panel of the account says that the provider did not answer.
        const answered = await queryFulfilled.catch(() => null)
        if (answered === null) return
        dispatch(
          paymentsApi.util.updateQueryData('getPaymentSettings', undefined, () => answered.data),
        )
      },
    }),
    connectAccount: build.mutation<AccountPage, Keyed>({
      query: (keyed) => post('account/connect', keyed),
      responseSchema: accountPageResponse,
      ...changesAll,
    }),
    openAccount: build.mutation<AccountPage, Keyed>({
      query: (keyed) => post('account/dashboard', keyed),
      responseSchema: accountPageResponse,
    }),
    disconnectAccount: build.mutation<PaymentSettings, Keyed & { readonly accountId: string }>({
      query: ({ accountId, ...keyed }) => post('account/disconnect', keyed, { accountId }),
      responseSchema: paymentSettingsResponse,
      ...changesAll,
    }),
    changeGatewayLink: build.mutation<
      PaymentSettings,
      Keyed & { readonly body: ChangeGatewayLinkRequest }
    >({
      query: ({ body, ...keyed }) => post('link', keyed, body),
      responseSchema: paymentSettingsResponse,
      ...changesAll,
    }),
    changeInstructions: build.mutation<
      PaymentSettings,
      Keyed & { readonly body: ChangeInstructionsRequest }
    >({
      query: ({ body, ...keyed }) => post('instructions', keyed, body),
      responseSchema: paymentSettingsResponse,
      ...changesAll,
    }),
  }),
})

export const {
  useGetPaymentSettingsQuery,
  useRefreshAccountQuery,
  useConnectAccountMutation,
  useOpenAccountMutation,
  useDisconnectAccountMutation,
  useChangeGatewayLinkMutation,
  useChangeInstructionsMutation,
} = paymentsApi
