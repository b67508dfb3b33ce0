import type { ErrorBody } from '#contracts/errors'
import { problemSentence } from '#services/foundation/validation-messages'
import type { Refused } from './admission/known-refusals.ts'

/** An error answer. The browser shows its sentence to the user. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly body: ErrorBody
  readonly retryAfterSeconds: number | undefined
  /** Of a rate limit: which other requests of the same call it refuses. Undefined: not known. */
  readonly refused: Refused | undefined
  constructor(
    status: number,
    body: ErrorBody | string,
    options: { retryAfterSeconds?: number; refused?: Refused; cause?: unknown } = {},
  ) {
    const errorBody = typeof body === 'string' ? { error: body } : body
    super(errorBody.error, { cause: options.cause })
    this.status = status
    this.body = errorBody
    this.retryAfterSeconds = options.retryAfterSeconds
    this.refused = options.refused
  }
}

/**
 * 400 with the field and the reason. A reason is a sentence, or begins in lower case and continues
 * the field's name: `badRequest('priceId', 'is required.')` has the error "Price ID is required."
 */
export function badRequest(field: string, reason: string): HttpError {
  return new HttpError(400, { error: problemSentence({ field, reason }), field, reason })
}

/** The answer 413. */
export const tooLargeBody: ErrorBody = {
  error: 'The request is larger than this call allows.',
  field: '',
  reason: 'too large',
}
