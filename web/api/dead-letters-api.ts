import type { z } from 'zod'
import {
  deadLetterDecided,
  deadLettersResponse,
  type DeadLetterItem,
  type discardDeadLetterRequest,
  type retryDeadLetterRequest,
} from '#contracts/admin/dead-letters'
import { api } from './api.ts'

type Place = Pick<DeadLetterItem, 'reactor' | 'event_id'>
type Decided = z.infer<typeof deadLetterDecided>

const pathOf = ({ reactor, event_id }: Place, act: 'retry' | 'discard') =>
  `/api/admin/dead-letters/${encodeURIComponent(reactor)}/${encodeURIComponent(event_id)}/${act}`

/** After a failure, too: another administrator may have decided meanwhile. */
const invalidatesTags = ['AdminDeadLetters', 'AdminHistory', 'AdminActivity'] as const

const deadLettersApi = api.injectEndpoints({
  endpoints: (build) => ({
    listDeadLetters: build.query<z.infer<typeof deadLettersResponse>, void>({
      query: () => '/api/admin/dead-letters',
      responseSchema: deadLettersResponse,
      providesTags: ['AdminDeadLetters'],
    }),
    retryDeadLetter: build.mutation<
      Decided,
      { readonly place: Place; readonly body: z.input<typeof retryDeadLetterRequest> }
    >({
      query: ({ place, body }) => ({ url: pathOf(place, 'retry'), method: 'POST', body }),
      responseSchema: deadLetterDecided,
      invalidatesTags,
    }),
    discardDeadLetter: build.mutation<
      Decided,
      { readonly place: Place; readonly body: z.input<typeof discardDeadLetterRequest> }
    >({
      query: ({ place, body }) => ({ url: pathOf(place, 'discard'), method: 'POST', body }),
      responseSchema: deadLetterDecided,
      invalidatesTags,
    }),
  }),
})

export const { useListDeadLettersQuery, useRetryDeadLetterMutation, useDiscardDeadLetterMutation } =
  deadLettersApi
