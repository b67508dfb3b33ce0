import { describe, expect, it } from '@jest/globals'
import type { UserId } from '#contracts/ids'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { billingSideOfFile } from '../../support/product/billing-side-of-file.ts'

const { sandbox, side } = await billingSideOfFile()

const { stripe } = sandbox
const day = 86_400

let count = 0
const keep = (userId: UserId, subscriptionId: string) => {
  const commandId = `keep ${(count += 1)}`
  return side.billing.keepPlan(userId, refOf(subscriptionId), {
    commandId,
    correlationId: commandId,
    actor: { kind: 'customer', id: userId },
    source: 'sync',
  })
}

async function bought() {
  const { userId, customer } = await side.buy()
  const [subscription] = (await stripe.subscriptions.list({ customer })).data
  return {
    userId,
    id: subscription!.id,
    periodEnd: subscription!.items.data[0]!.current_period_end,
  }
}
const atProvider = async (id: string) => {
  const { cancel_at, cancel_at_period_end, status } = await stripe.subscriptions.retrieve(id)
  return { cancel_at, cancel_at_period_end, status }
}
const running = { cancel_at: null, cancel_at_period_end: false, status: 'active' }

describe('keeping a plan', () => {
  it.each([
    ['at the end of the period', () => ({ cancel_at_period_end: true })],
    ['at a time within the period', (end: number) => ({ cancel_at: end - day })],
    ['in a later period', (end: number) => ({ cancel_at: end + 40 * day })],
  ])('withdraws a cancellation %s at the provider and records it', async (_case, planned) => {
    const { userId, id, periodEnd } = await bought()
    await stripe.subscriptions.update(id, planned(periodEnd))
    const { kept } = await keep(userId, id)
    expect(kept).toMatchObject({ kind: 'kept', subscription: { cancelAt: null } })
    expect(await atProvider(id)).toEqual(running)
    const types = await side.typesOf(userId)
    expect(types.filter((type) => type.startsWith('Cancellation'))).toEqual([
      'CancellationScheduled',
      'CancellationWithdrawn',
    ])
  })

  it('changes nothing without a scheduled cancellation, and if it is repeated', async () => {
    const { userId, id } = await bought()
    await stripe.subscriptions.update(id, { cancel_at_period_end: true })
    await keep(userId, id)
    const types = await side.typesOf(userId)
    side.calls.length = 0
    expect(await keep(userId, id)).toMatchObject({ kept: { kind: 'kept' } })
    expect(side.calls.filter((call) => call.startsWith('POST'))).toEqual([])
    expect(await side.typesOf(userId)).toEqual(types)
  })

  it('is refused after the end of the plan, and for a plan of another customer', async () => {
    const { userId, id } = await bought()
    const other = await bought()
    await stripe.subscriptions.cancel(id)
    expect(await keep(userId, id)).toMatchObject({ kept: { kind: 'ended' } })
    expect(await keep(userId, other.id)).toMatchObject({ kept: { kind: 'unknown' } })
    expect(await atProvider(other.id)).toEqual(running)
  })

  it('reports the end if the plan ends while it is kept', async () => {
    const { userId, id } = await bought()
    await stripe.subscriptions.update(id, { cancel_at_period_end: true })
    side.intercept = async (call) => {
      if (call === `POST /v1/subscriptions/${id}`) {
        side.intercept = async () => null
        await stripe.subscriptions.cancel(id)
      }
      return null
    }
    expect(await keep(userId, id)).toMatchObject({ kept: { kind: 'ended' } })
  })
})
