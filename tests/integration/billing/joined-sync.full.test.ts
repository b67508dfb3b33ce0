import { describe, expect, it } from '@jest/globals'
import type { UserId } from '#contracts/ids'
import { billingSideOfFile } from '../../support/product/billing-side-of-file.ts'

const { sandbox, side } = await billingSideOfFile()

let count = 0
const sync = (userId: UserId) => {
  const commandId = `webhook evt_joined_${(count += 1)}`
  return side.billing.sync(userId, {
    commandId,
    correlationId: commandId,
    actor: { kind: 'payment-provider', id: 'stripe' },
    source: 'webhook',
  })
}

/** Holds the first call that reads the customer until the test calls `release`. */
function holdFirstRead(customer: string) {
  let release: () => void = () => undefined
  let reached: () => void = () => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  const isReached = new Promise<void>((resolve) => (reached = resolve))
  let isFirst = true
  side.intercept = async (call) => {
    if (isFirst && call.startsWith(`GET /v1/customers/${customer}`)) {
      isFirst = false
      reached()
      await held
    }
    return null
  }
  return { isReached, release: () => release() }
}

const readsOf = (customer: string) =>
  side.calls.filter((call) => call === `GET /v1/customers/${customer}`).length

describe('synchronizations of one customer at the same time', () => {
  it('read the state at the provider twice: the first one, and one for all that waited', async () => {
    const { userId, customer } = await side.buy()
    const { isReached, release } = holdFirstRead(customer)
    side.calls.length = 0
    const first = sync(userId)
    await isReached
    const waiting = Array.from({ length: 10 }, () => sync(userId))
    release()
    const results = await Promise.all([first, ...waiting])
    expect(readsOf(customer)).toBe(2)
    for (const { hasLiveSubscription } of results) expect(hasLiveSubscription).toBe(true)
    const recorded = (await side.typesOf(userId)).slice(3).length
    expect(results.reduce((sum, { facts }) => sum + facts, 0)).toBe(recorded)
  })

  it('see a change that was made after an earlier one began to read', async () => {
    const { userId, customer } = await side.buy()
    await sync(userId)
    const { isReached, release } = holdFirstRead(customer)
    const first = sync(userId)
    await isReached
    const [subscription] = (await sandbox.stripe.subscriptions.list({ customer })).data
    await sandbox.stripe.subscriptions.cancel(subscription?.id ?? '')
    const second = sync(userId)
    release()
    await first
    expect(await second).toMatchObject({ hasLiveSubscription: false })
  })

  it('fail together, and the next one succeeds', async () => {
    const { userId, customer } = await side.buy()
    let failures = 0
    const { isReached, release } = holdFirstRead(customer)
    const first = sync(userId)
    await isReached
    const waiting = [sync(userId), sync(userId)]
    side.intercept = async (call) => {
      if (!call.startsWith(`GET /v1/customers/${customer}`)) return null
      failures += 1
      return new Response('{"error":{"message":"x"}}', { status: 500 })
    }
    release()
    await first
    const settled = await Promise.allSettled(waiting)
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(failures).toBe(1)
    side.intercept = async () => null
    expect(await sync(userId)).toMatchObject({ hasLiveSubscription: true })
  })
})
