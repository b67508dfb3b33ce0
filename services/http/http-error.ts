import type { ErrorBody } from '#contracts/errors'
import { fieldInWords } from './field-in-words.ts'

/** An error answer. The browser shows its sentence to the user. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly body: ErrorBody
  readonly retryAfterSeconds: number | undefined
  constructor(
    status: number,
    body: ErrorBody | string,
    options: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    const errorBody = typeof body === 'string' ? { error: body } : body
    super(errorBody.error, { cause: options.cause })
    this.status = status
    this.body = errorBody
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/**
 * 400 with the field and the reason. A reason is a sentence, or begins in lower case and continues the field's name:
 * `badRequest('priceId', 'is required.')` has the error "Price ID is required."
 */
export function badRequest(field: string, reason: string): HttpError {
  const error = /^[a-z]/.test(reason) ? `${fieldInWords(field)} ${reason}` : reason
  return new HttpError(400, { error, field, reason })
}
