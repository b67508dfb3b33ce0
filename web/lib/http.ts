import { noteOwnWrites } from './data-behind.ts'

/** The error of a call: a refusal, a lost connection or an unreadable answer. */
export interface ApiError {
  /**
   * The HTTP status; `unreachable` without an answer, `unreadable` if the answer breaks its
   * contract.
   */
  readonly status: number | 'unreachable' | 'unreadable'
  /**
   * The server's sentence for the user; null if there is none, then the caller shows its own text.
   */
  readonly error: string | null
  /** The invalid field that the server named, such as `zipcode`. */
  readonly field?: string
  readonly reason?: string
  /** The code of a refused change, such as `open-changed`. */
  readonly code?: string
}

export interface ApiRequest {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'PATCH'
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type ApiResult =
  | { readonly data: unknown; readonly error?: undefined }
  | { readonly data?: undefined; readonly error: ApiError }

/**
 * Calls the product's API. The server requires `X-Requested-With` on every call that changes
 * something (CSRF). The function does not throw: it returns a failure as an `ApiError`.
 */
export async function callApi(
  { url, method = 'GET', body, headers }: ApiRequest,
  signal?: AbortSignal,
): Promise<ApiResult> {
  let response: Response
  try {
    response = await fetch(new URL(url, window.location.origin), {
      method,
      signal,
      credentials: 'same-origin',
      headers: {
        Accept: 'application/json',
        'X-Requested-With': 'fetch',
        ...(method === 'GET' ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
  } catch {
    return { error: { status: 'unreachable', error: null } }
  }
  if (!response.ok) return { error: await refusalOf(response) }
  if (method === 'GET') noteOwnWrites(url, response.headers.get('X-Own-Writes'))
  const answer = await readJson(response)
  return answer.readable ? { data: answer.json } : { error: { status: 'unreadable', error: null } }
}

/** The error of an answer whose status is not 2xx. */
export async function refusalOf(response: Response): Promise<ApiError> {
  return { ...errorFields((await readJson(response)).json), status: response.status }
}

/** An empty body is null: some calls answer without a body. */
async function readJson(response: Response): Promise<{ readable: boolean; json: unknown }> {
  try {
    const text = await response.text()
    return { readable: true, json: text === '' ? null : JSON.parse(text) }
  } catch {
    return { readable: false, json: null }
  }
}

function errorFields(body: unknown): Omit<ApiError, 'status'> {
  if (typeof body !== 'object' || body === null) return { error: null }
  const { error, field, reason, code } = body as Record<string, unknown>
  return {
    error: typeof error === 'string' && error !== '' ? error : null,
    ...(typeof field === 'string' && { field }),
    ...(typeof reason === 'string' && { reason }),
    ...(typeof code === 'string' && { code }),
  }
}

/** The server's sentence if there is one, else `fallback`. */
export function errorText(error: unknown, fallback: string): string {
  return isApiError(error) && error.error !== null ? error.error : fallback
}

/** Whether the server answered that it did nothing. After a lost answer it may have done it. */
export function isRefusal(error: unknown): boolean {
  return isApiError(error) && typeof error.status === 'number' && error.status < 500
}

/** Whether the server refused the call because the customer has no profile yet. */
export function needsProfile(error: unknown): boolean {
  return isApiError(error) && error.status === 409 && error.field === 'profile'
}

export function isApiError(error: unknown): error is ApiError {
  return typeof error === 'object' && error !== null && 'status' in error && 'error' in error
}
