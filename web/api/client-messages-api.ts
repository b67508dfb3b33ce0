import {
  messageResponse,
  nextMessagesResponse,
  nextStepsResponse,
  sendNowPreviewResponse,
  sendNowResponse,
  settleMessageResponse,
  skipStepResponse,
  type MessageResponse,
  type NextMessages,
  type NextSteps,
  type SendNowPreview,
} from '#contracts/receivables/messages'
import { api } from './api.ts'
import { queryString } from './receivables-api.ts'

const ofClient = (clientId: string) => `/api/receivables/clients/${encodeURIComponent(clientId)}`

/** One press of a button has one key, so that its repetition is recorded once. */
const keyed = (key: string, body: unknown) => ({
  method: 'POST' as const,
  headers: { 'Idempotency-Key': key },
  body,
})

const clientMessagesApi = api.injectEndpoints({
  endpoints: (build) => ({
    getMessage: build.query<MessageResponse, { clientId: string; messageId: string }>({
      query: ({ clientId, messageId }) =>
        `${ofClient(clientId)}/messages/${encodeURIComponent(messageId)}`,
      responseSchema: messageResponse,
    }),
    getNextMessages: build.query<NextMessages, void>({
      query: () => '/api/receivables/next-messages',
      responseSchema: nextMessagesResponse,
      providesTags: ['Receivables'],
    }),
    /** `invoices`: their ids. */
    getNextSteps: build.query<NextSteps, readonly string[]>({
      query: (invoices) =>
        `/api/receivables/next-steps?${queryString({ invoices: invoices.join(',') })}`,
      responseSchema: nextStepsResponse,
      providesTags: ['Receivables'],
    }),
    /** What would go out now. Nothing is stored, and no answer is used twice. */
    previewSendNow: build.query<SendNowPreview, { clientId: string }>({
      query: ({ clientId }) => ({
        url: `${ofClient(clientId)}/send-now/preview`,
        method: 'POST',
        body: {},
      }),
      responseSchema: sendNowPreviewResponse,
      keepUnusedDataFor: 0,
    }),
    /** `seen`: the key of the preview. */
    sendNow: build.mutation<object, { clientId: string; key: string; seen: string }>({
      query: ({ clientId, key, seen }) => ({
        url: `${ofClient(clientId)}/send-now`,
        ...keyed(key, { key: seen }),
      }),
      responseSchema: sendNowResponse,
      invalidatesTags: ['Receivables'],
    }),
    settleMessage: build.mutation<object, { clientId: string; messageId: string; key: string }>({
      query: ({ clientId, messageId, key }) => ({
        url: `${ofClient(clientId)}/messages/${encodeURIComponent(messageId)}/settle`,
        ...keyed(key, {}),
      }),
      responseSchema: settleMessageResponse,
      invalidatesTags: ['Receivables'],
    }),
    skipStep: build.mutation<
      object,
      { receivableId: string; key: string; stepId: string; repetition: number }
    >({
      query: ({ receivableId, key, ...step }) => ({
        url: `/api/receivables/invoices/${encodeURIComponent(receivableId)}/skip-step`,
        ...keyed(key, step),
      }),
      responseSchema: skipStepResponse,
      invalidatesTags: ['Receivables'],
    }),
  }),
})

export const {
  useGetMessageQuery,
  useGetNextMessagesQuery,
  useGetNextStepsQuery,
  usePreviewSendNowQuery,
  useSendNowMutation,
  useSettleMessageMutation,
  useSkipStepMutation,
} = clientMessagesApi
