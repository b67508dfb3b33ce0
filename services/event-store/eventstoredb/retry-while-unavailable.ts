import { setTimeout as sleep } from 'node:timers/promises'
import { NotLeaderError } from '@eventstore/db-client'
import { EventStoreUnavailable } from '../errors.ts'
import { explained, isUnavailable } from './unavailable.ts'

/**
 * How long a call is retried. After the loss of its leader a cluster elects another within 1 to 5 s, and a customer's
 * request should survive that. A frozen server fails later than this, so its calls are not retried.
 */
const defaultRetryMs = 6_000
const longestPauseMs = 100
/** When a node names the leader, the client reconnects there at once. The pause is for two nodes that name each other. */
const pauseToLeaderMs = 10

/**
 * Retries `call` until the server answers. If a connection breaks before the answer, it is unknown whether an append was
 * written. A retry is safe: a repeat at the same expected revision writes nothing and returns the same result.
 * @throws EventStoreUnavailable, or the error that the server answered
 */
export async function retryWhileUnavailable<T>(
  call: () => Promise<T>,
  signal: AbortSignal,
  within = defaultRetryMs,
): Promise<T> {
  const deadline = Date.now() + within
  for (let pause = 25; ; pause = Math.min(longestPauseMs, pause * 2)) {
    try {
      return await call()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      if (signal.aborted) throw new EventStoreUnavailable(new Error('it was closed'))
      if (Date.now() + pause > deadline) throw explained(error)
      await sleep(error instanceof NotLeaderError ? pauseToLeaderMs : pause)
    }
  }
}
