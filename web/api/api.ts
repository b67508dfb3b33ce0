import { createApi, type BaseQueryFn } from '@reduxjs/toolkit/query/react'
import { takeActivity } from '../lib/activity.ts'
import { callApi, type ApiError, type ApiRequest } from '../lib/http.ts'
import { endSession } from '../lib/session-values.ts'
import { fetchUnlessDelivered } from './live/delivered-answers.ts'

/**
 * The session that a call needs. On a 401 the client first deletes the stored values of that
 * session, so that a page that redirects by these values cannot loop. After a 403 to an
 * administrator the session is read again, because the role may have changed. The default is
 * `admin` under `/api/admin/` and `customer` elsewhere; an endpoint overrides the default in its
 * `extraOptions`. `either`: the 401 means that neither session exists.
 */
interface CallOptions {
  readonly session?: 'customer' | 'admin' | 'either'
}

const baseQuery: BaseQueryFn<string | ApiRequest, unknown, ApiError, CallOptions> = async (
  call,
  { signal, queryCacheKey, dispatch },
  options,
) => {
  const request = typeof call === 'string' ? { url: call } : call
  const result =
    queryCacheKey !== undefined && request.url.startsWith('/api/admin/')
      ? await fetchUnlessDelivered(queryCacheKey, request.url, () =>
          callApi(takeActivity() ? request : inBackground(request), signal),
        )
      : await callApi(request, signal)
  const session = options?.session ?? (request.url.startsWith('/api/admin/') ? 'admin' : 'customer')
  const status = result.error?.status
  if (status === 401 && session !== 'admin') endSession('customer')
  if (status === 401 && session !== 'customer') endSession('admin')
  if (status === 403 && session === 'admin') dispatch(api.util.invalidateTags(['Session']))
  return result.error ? { error: result.error } : { data: result.data }
}

/** No person caused the request, so it does not keep an idle session open. */
function inBackground(request: ApiRequest): ApiRequest {
  return { ...request, headers: { ...request.headers, 'X-Background': '1' } }
}

export const tagTypes = [
  'Session',
  'Plans',
  'Purchases',
  'Subscriptions',
  'SubscriptionChanges',
  'Profile',
  'CustomerSessions',
  // One tag: each act can change figures, lists and pages.
  'Receivables',
  'AdminSummary',
  'AdminUsers',
  'AdminPayments',
  'AdminActivePlans',
  'AdminEnquiries',
  'AdminRefunds',
  'AdminSubscriptions',
  'AdminHistory',
  'AdminActivity',
  'AdminAdministrators',
  'AdminPasskeys',
  'AdminRefundProposals',
  'AdminExportProposals',
  'AdminDeadLetters',
  // Not live: a person compares these figures with others. Refresh reloads them.
  'Reports',
] as const

/**
 * The only cache of server state. The files beside this one inject the endpoints and pass the
 * contract of the response as `responseSchema`. A response that breaks its contract becomes an
 * `unreadable` error. Errors are `ApiError`s; show them with `errorText(error, fallback)`.
 */
export const api = createApi({
  reducerPath: 'api',
  baseQuery,
  tagTypes,
  catchSchemaFailure: (): ApiError => ({ status: 'unreadable', error: null }),
  endpoints: () => ({}),
})
