import type { IncomingMessage } from 'node:http'
import { tooManyTries } from '../too-many-tries.ts'
import { answerOf } from './ready-answer.ts'
import { createRecentTally } from './tally.ts'

/** Whether the request has a valid signature of its body. It does not throw. */
export type IsSigned = (request: IncomingMessage, body: Buffer) => boolean

/** Of a network in `periodMs` at least, and in twice the time at most. */
const maxUnsigned = 30
const periodMs = 60_000

export interface UnsignedRequests {
  /** False if the network has sent too many. A request that is refused does not count. */
  spend(network: string): boolean
}

/**
 * Limits the requests without a valid signature of each network, on calls that need one. Signed
 * requests of the network have no limit here: a stranger and the signer can share a proxy.
 * @param now monotonic milliseconds
 */
export function createUnsignedRequests(now: () => number): UnsignedRequests {
  const ofNetwork = createRecentTally(periodMs, now)
  return {
    spend(network) {
      if (ofNetwork.count(network) >= maxUnsigned) return false
      ofNetwork.add([network])
      return true
    },
  }
}

const seconds = periodMs / 1_000

export const tooManyUnsigned = answerOf(
  429,
  {
    error: tooManyTries(
      seconds,
      'Too many requests without a valid signature came from your network.',
    ),
  },
  seconds,
)
