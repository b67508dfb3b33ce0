import { ThreadFailed } from '#services/foundation/threads'
import { GateIsFull } from '#services/foundation/work-gate'
import { HttpError } from './http-error.ts'

/**
 * The answer if a thread made no file. `what` is the plural of the files, `instead` a sentence that
 * says where the same is. Another error is returned as it is.
 */
export function unmadeFile(
  error: unknown,
  { what, instead }: { readonly what: string; readonly instead: string },
): unknown {
  const retry = { retryAfterSeconds: 5, cause: error }
  if (error instanceof GateIsFull)
    return new HttpError(
      503,
      `Too many ${what} are being made at the moment. Please try again in a few seconds.`,
      retry,
    )
  if (error instanceof ThreadFailed)
    return new HttpError(503, `${instead} Please try again in a moment.`, retry)
  return error
}
