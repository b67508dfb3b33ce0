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

/** 400 with the field and the reason; `error` is a sentence that can be shown as it is. */
export function badRequest(field: string, reason: string): HttpError {
  return new HttpError(400, { error: sentence(field, reason), field, reason })
}

/** Contracts word their reasons for people; what zod says by itself, and 'is not known here.', lack the field. */
function sentence(field: string, reason: string): string {
  if (field === '') return reason
  if (/^(Invalid|Too|Unrecognized)/.test(reason)) return `${field}: ${reason}`
  const isContinuation = /^[a-z]/.test(reason) && !reason.startsWith(field.split('.').at(-1) ?? field)
  return isContinuation ? `${field} ${reason}` : reason
}
