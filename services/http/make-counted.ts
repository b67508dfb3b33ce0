import { ThreadFailed } from '#services/foundation/threads'
import { GateIsFull } from '#services/foundation/work-gate'
import { HttpError } from './http-error.ts'
import type { Limit } from './limits.ts'

/** `what` is the plural of the files, `instead` a sentence that says where the same is. */
interface Words {
  readonly what: string
  readonly instead: string
}

/**
 * Makes a file that `limit` has counted. If it is not made, its try is given back.
 * @throws HttpError 503 if too many files are waiting or the thread failed, else what `make` throws
 */
export async function makeCounted<Made>(
  { limit, keys }: { readonly limit: Pick<Limit, 'refund'>; readonly keys: readonly string[] },
  words: Words,
  make: () => Promise<Made>,
): Promise<Made> {
  try {
    return await make()
  } catch (error) {
    await limit.refund(...keys)
    throw answerTo(error, words)
  }
}

function answerTo(error: unknown, { what, instead }: Words): unknown {
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
