import { setTimeout as sleep } from 'node:timers/promises'
import { NotLeaderError } from '@eventstore/db-client'
import { EventStoreUnavailable } from '../errors.ts'
import { explained, isUnavailable } from './unavailable.ts'

/**
 * How long a call is sent again. A cluster that lost its leader elects another within one to five seconds, and a
 * customer's click should outlive that. A server that is frozen fails later than this, and is not asked twice.
 */
const defaultRetryMs = 6_000
const longestPause = 100
/** A node that says who leads sends the client there: there is nothing to wait for, but two that name each other. */
const pauseToLeader = 10

/**
 * Asks until there is an answer. A connection that breaks before the answer leaves open whether an append was
 * written; sending it again is safe, as a repeat at the same expected revision has the same answer.
 * @throws EventStoreUnavailable, or what the answer was
 */
export async function retryWhileUnavailable<T>(
  call: () => Promise<T>,
  signal: AbortSignal,
  within = defaultRetryMs,
): Promise<T> {
  const deadline = Date.now() + within
  for (let pause = 25; ; pause = Math.min(longestPause, pause * 2)) {
    try {
      return await call()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      if (signal.aborted) throw new EventStoreUnavailable(new Error('it was closed'))
      if (Date.now() + pause > deadline) throw explained(error)
      await sleep(error instanceof NotLeaderError ? pauseToLeader : pause)
    }
  }
}
