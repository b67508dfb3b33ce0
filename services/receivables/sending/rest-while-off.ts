import { LRUCache } from 'lru-cache'
import type { UserId } from '#contracts/ids'

/** Which merchants were looked after a moment ago while their reminders were off. */
export interface RestWhileOff {
  isResting(merchantId: UserId): boolean
  begin(merchantId: UserId): void
}

/** An import changes each client several times, and while reminders are off no look is urgent. */
const restMs = 10_000
/** A forgotten merchant only has an earlier look. */
const maxMerchants = 10_000

/** `now`: milliseconds from any moment on. Default: `performance.now`. */
export function createRestWhileOff(now: () => number = () => performance.now()): RestWhileOff {
  const until = new LRUCache<UserId, number>({ max: maxMerchants })
  return {
    isResting: (merchantId) => now() < (until.get(merchantId) ?? -Infinity),
    begin: (merchantId) => until.set(merchantId, now() + restMs),
  }
}
