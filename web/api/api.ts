import { createApi, type BaseQueryFn } from '@reduxjs/toolkit/query/react'
import { callApi, type ApiError, type ApiRequest } from '../lib/http.ts'
import { forgetAdmin, forgetCustomer } from '../lib/stored-values.ts'

/**
 * Whose session a call needs. When it has ended the stored values of that person go first, so that
 * a page that redirects by them cannot loop. A customer's is the default, `/api/admin/` means the
 * administrator's; an endpoint that is neither says so in its `extraOptions`.
 */
export interface CallOptions {
  readonly session?: 'customer' | 'admin'
}

const baseQuery: BaseQueryFn<string | ApiRequest, unknown, ApiError, CallOptions> = async (
  call,
  { signal },
  options,
) => {
  const request = typeof call === 'string' ? { url: call } : call
  const result = await callApi(request, signal)
  if (result.error?.status === 401) {
    const session =
      options?.session ?? (request.url.startsWith('/api/admin/') ? 'admin' : 'customer')
    if (session === 'admin') forgetAdmin()
    else forgetCustomer()
  }
  return result.error ? { error: result.error } : { data: result.data }
}

/**
 * The one cache of server state. Features inject their endpoints and pass the contract of the
 * answer as `responseSchema`: an answer that breaks it becomes an `unreadable` error.
 * Errors are `ApiError`s; show them with `errorText(error, 'the page’s own sentence')`.
 */
export const api = createApi({
  reducerPath: 'api',
  baseQuery,
  tagTypes: [
    'Session',
    'Plans',
    'Purchases',
    'Subscriptions',
    'SubscriptionChanges',
    'AdminSummary',
    'AdminUsers',
    'AdminPayments',
    'AdminEnquiries',
    'AdminRefunds',
    'AdminSubscriptions',
    'AdminHistory',
  ],
  catchSchemaFailure: (): ApiError => ({ status: 'unreadable', error: null }),
  endpoints: () => ({}),
})
