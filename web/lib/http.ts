/** What went wrong with a call, in one shape for refusals, lost connections and unreadable answers. */
export interface ApiError {
  /** The HTTP status; `unreachable` when no answer came, `unreadable` when the answer broke its contract. */
  readonly status: number | 'unreachable' | 'unreadable'
  /** The server's sentence, made to be shown; null when there is none and the caller's own text is needed. */
  readonly error: string | null
  /** The field that a broken request named, such as `zipcode`. */
  readonly field?: string
  readonly reason?: string
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
 * One call to our own API. `X-Requested-With` is what the server asks of every call that changes
 * something (CSRF). Never throws: a failure is a value with the server's sentence in it.
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
  const answer = await readJson(response)
  if (!response.ok) return { error: { ...errorFields(answer.json), status: response.status } }
  return answer.readable ? { data: answer.json } : { error: { status: 'unreadable', error: null } }
}

/** An empty answer is null: not every call has something to say. */
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
  const { error, field, reason } = body as Record<string, unknown>
  return {
    error: typeof error === 'string' && error !== '' ? error : null,
    ...(typeof field === 'string' && { field }),
    ...(typeof reason === 'string' && { reason }),
  }
}

/** The server's sentence where there is one, else the page's own. */
export function errorText(error: unknown, fallback: string): string {
  return isApiError(error) && error.error !== null ? error.error : fallback
}

export function isApiError(error: unknown): error is ApiError {
  return typeof error === 'object' && error !== null && 'status' in error && 'error' in error
}
