import type { ErrorBody } from '#contracts/errors'

/** An answer that is not a success, with the sentence that the person sees. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly body: ErrorBody
  readonly retryAfterSeconds: number | undefined
  constructor(status: number, body: ErrorBody | string, options: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    const errorBody = typeof body === 'string' ? { error: body } : body
    super(errorBody.error, { cause: options.cause })
    this.status = status
    this.body = errorBody
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

export function badRequest(field: string, reason: string): HttpError {
  return new HttpError(400, { error: field === '' ? reason : `${field}: ${reason}`, field, reason })
}
