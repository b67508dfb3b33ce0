import type { z } from 'zod'
import {
  changeScheduleResponse,
  remindersTurnedResponse,
  schedulePreviewResponse,
  scheduleResponse,
  stepResultsResponse,
  type changeScheduleRequest,
  type SchedulePreview,
  type schedulePreviewRequest,
  type ScheduleResponse,
  type StepResults,
} from '#contracts/receivables/schedule'
import { api } from './api.ts'

const path = '/api/receivables/schedule'

const scheduleApi = api.injectEndpoints({
  endpoints: (build) => ({
    getSchedule: build.query<ScheduleResponse, void>({
      query: () => path,
      responseSchema: scheduleResponse,
      providesTags: ['Receivables'],
    }),
    /** What a draft would send. The draft is the key: the same draft is not asked twice. */
    previewSchedule: build.query<SchedulePreview, z.infer<typeof schedulePreviewRequest>>({
      query: (body) => ({ url: `${path}/preview`, method: 'POST', body }),
      responseSchema: schedulePreviewResponse,
      providesTags: ['Receivables'],
    }),
    getStepResults: build.query<StepResults, void>({
      query: () => `${path}/results`,
      responseSchema: stepResultsResponse,
      providesTags: ['Receivables'],
    }),
    turnReminders: build.mutation<
      z.infer<typeof remindersTurnedResponse>,
      { readonly key: string; readonly to: 'on' | 'off' }
    >({
      query: ({ key, to }) => ({
        url: `${path}/turn-${to}`,
        method: 'POST',
        headers: { 'Idempotency-Key': key },
      }),
      responseSchema: remindersTurnedResponse,
      invalidatesTags: ['Receivables'],
    }),
    /** Also refetches after a refusal: the page was out of date. */
    changeSchedule: build.mutation<
      z.infer<typeof changeScheduleResponse>,
      { readonly key: string; readonly body: z.infer<typeof changeScheduleRequest> }
    >({
      query: ({ key, body }) => ({
        url: path,
        method: 'POST',
        headers: { 'Idempotency-Key': key },
        body,
      }),
      responseSchema: changeScheduleResponse,
      invalidatesTags: ['Receivables'],
    }),
  }),
})

export const {
  useGetScheduleQuery,
  usePreviewScheduleQuery,
  useGetStepResultsQuery,
  useTurnRemindersMutation,
  useChangeScheduleMutation,
} = scheduleApi
