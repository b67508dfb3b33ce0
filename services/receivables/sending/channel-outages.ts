import { createBackoff } from '#services/foundation/backoff'
import type { Channel } from '../reminders/schedule.ts'

/**
 * Which channels take no messages now. While a server is away, one message after the other is not
 * decided: the backoff of the channel lets one try through, and the others wait.
 */
export interface ChannelOutages {
  /** In milliseconds; 0: a message may be tried. */
  waitOf(channel: Channel): number
  began(channel: Channel): void
  over(channel: Channel): void
}

const limits = { firstMs: 1_000, longestMs: 60_000 }

/** @param now monotonic milliseconds */
export function createChannelOutages(now: () => number = () => performance.now()): ChannelOutages {
  const known = {
    mail: { backoff: createBackoff(limits), until: 0 },
    text: { backoff: createBackoff(limits), until: 0 },
  }
  return {
    waitOf(channel) {
      const state = known[channel]
      const waitMs = Math.max(0, state.until - now())
      // The others wait until this try has an outcome.
      if (waitMs === 0 && state.until > 0) state.until = now() + limits.longestMs
      return waitMs
    },
    began(channel) {
      const state = known[channel]
      state.until = now() + state.backoff.next()
    },
    over(channel) {
      known[channel].backoff.reset()
      known[channel].until = 0
    },
  }
}
