import { describe, expect, it } from '@jest/globals'
import {
  blocksSecondSubscription,
  hasEnded,
  isActive,
  isLive,
  subscriptionStatuses,
} from '#contracts/subscription-status'

const statusesWith = (rule: (status: string) => boolean) => subscriptionStatuses.filter(rule)

describe('a subscription status', () => {
  it('is shown as active if it is active or trialing', () => {
    expect(statusesWith(isActive)).toEqual(['trialing', 'active'])
  })

  it('is live and blocks a second subscription while the customer can still be charged', () => {
    const live = ['trialing', 'active', 'past_due', 'unpaid', 'paused']
    expect(statusesWith(isLive)).toEqual(live)
    expect(statusesWith(blocksSecondSubscription)).toEqual(live)
  })

  it('has ended if it is canceled or expired before the first payment', () => {
    expect(statusesWith(hasEnded)).toEqual(['incomplete_expired', 'canceled'])
    expect(hasEnded('cancelled')).toBe(true)
  })

  it('that is unknown is neither active, live nor ended', () => {
    for (const status of ['', 'toString', 'future_status'])
      expect([isActive(status), isLive(status), hasEnded(status)]).toEqual([false, false, false])
  })
})
