import { backOff } from 'exponential-backoff'
import { EventStoreUnavailable } from '../errors.ts'
import { explained, isUnavailable } from './unavailable.ts'

/**
 * How long a call is retried. After the loss of its leader a cluster elects another within 1 to 5
 * s, and a customer's request should survive that. A frozen server fails later than this, so its
 * calls are not retried.
 */
const defaultRetryMs = 6_000
const firstPauseMs = 25
const longestPauseMs = 100

/**
 * Retries `call` until the server answers. If a connection breaks before the answer, it is unknown
 * whether an append was written. A retry is safe: a repeat at the same expected revision writes
 * nothing and returns the same result.
 * @param within milliseconds; the last attempt starts by then
 * @throws EventStoreUnavailable, or the error that the server answered
 */
export async function retryWhileUnavailable<T>(
  call: () => Promise<T>,
  signal: AbortSignal,
  within = defaultRetryMs,
): Promise<T> {
  const lastPauseAt = performance.now() + within - longestPauseMs
  try {
    return await backOff(call, {
      startingDelay: firstPauseMs,
      maxDelay: longestPauseMs,
      numOfAttempts: Infinity,
      retry: (error) => isUnavailable(error) && !signal.aborted && performance.now() < lastPauseAt,
    })
  } catch (error) {
    if (isUnavailable(error) && signal.aborted)
      throw new EventStoreUnavailable(new Error('it was closed'))
    throw explained(error)
  }
}
