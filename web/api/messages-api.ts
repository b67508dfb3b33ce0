import {
  brandResponse,
  type BrandResponse,
  type ChangeBrandRequest,
} from '#contracts/receivables/brand'
import {
  previewResponse,
  saveTemplatesResponse,
  templatesResponse,
  type PreviewRequest,
  type PreviewResponse,
  type SaveTemplatesRequest,
  type ShownTemplate,
  type TemplatesResponse,
} from '#contracts/receivables/templates'
import { api } from './api.ts'

/** One press of a button has one key, so that its repetition is recorded once. */
interface Keyed<Body> {
  readonly key: string
  readonly body: Body
}

type Saved = { readonly items: readonly ShownTemplate[] }
type Restored = Pick<ShownTemplate, 'tone' | 'channel' | 'version'>

/** A refused change means that the page was out of date, so the data is refetched then, too. */
const changesAll = { invalidatesTags: ['Receivables'] } as const
const readsAll = { providesTags: ['Receivables'] } as const

const post = (path: string, { key, body }: Keyed<unknown>) => ({
  url: `/api/receivables/${path}`,
  method: 'POST' as const,
  headers: { 'Idempotency-Key': key },
  body,
})

/** Seconds: each pause in the typing is another request. */
const keepPreview = 10

const messagesApi = api.injectEndpoints({
  endpoints: (build) => ({
    listTemplates: build.query<TemplatesResponse, void>({
      query: () => '/api/receivables/templates',
      responseSchema: templatesResponse,
      ...readsAll,
    }),
    saveTemplates: build.mutation<Saved, Keyed<SaveTemplatesRequest>>({
      query: (request) => post('templates', request),
      responseSchema: saveTemplatesResponse,
      ...changesAll,
    }),
    restoreTemplate: build.mutation<Saved, Keyed<Restored>>({
      query: (request) => post('templates/restore', request),
      responseSchema: saveTemplatesResponse,
      ...changesAll,
    }),
    previewMessage: build.query<PreviewResponse, PreviewRequest>({
      query: (body) => ({ url: '/api/receivables/templates/preview', method: 'POST', body }),
      responseSchema: previewResponse,
      keepUnusedDataFor: keepPreview,
      ...readsAll,
    }),
    getBrand: build.query<BrandResponse, void>({
      query: () => '/api/receivables/brand',
      responseSchema: brandResponse,
      ...readsAll,
    }),
    changeBrand: build.mutation<BrandResponse, Keyed<ChangeBrandRequest>>({
      query: (request) => post('brand', request),
      responseSchema: brandResponse,
      ...changesAll,
    }),
  }),
})

export const {
  useListTemplatesQuery,
  useSaveTemplatesMutation,
  useRestoreTemplateMutation,
  usePreviewMessageQuery,
  useGetBrandQuery,
  useChangeBrandMutation,
} = messagesApi
