import { describe, expect, it } from '@jest/globals'
import type { UserId } from '#contracts/ids'
import { sandboxPriceIdOf, type PlanId } from '#contracts/plans'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { billingSideOfFile } from '../../support/product/billing-side-of-file.ts'
import { testContext } from '../../support/data/test-context.ts'

const { sandbox, side } = await billingSideOfFile()
const returnUrl = 'http://localhost:3000/purchases?portal=return'

async function customerWithPlan() {
  const { userId, customer } = await side.buy()
  await side.billing.sync(userId, testContext(`first of ${userId}`))
  const { data } = await sandbox.stripe.subscriptions.list({ customer })
  const [subscription] = data
  if (subscription === undefined) throw new Error('The customer has no subscription.')
  return { userId, customer, subscription }
}

const changeTo = (userId: UserId, planId: PlanId, subscriptionId: string | null = null) =>
  side.billing.openPlanChange(userId, {
    subscriptionId: subscriptionId === null ? null : refOf(subscriptionId),
    plan: { id: planId, priceRef: side.prices.priceOf(planId) },
    returnUrl,
  })

const pageAt = async (url: string) => (await fetch(url)).text()

describe('the change to a chosen plan', () => {
  it('opens the provider’s confirmation with the amount that is then charged', async () => {
    const { userId, customer } = await customerWithPlan()
    const opened = await changeTo(userId, 'annual')
    const { url } = opened as { url: string }
    const page = await pageAt(url)
    expect(page).toContain('Change to Annual Plan')
    const quoted = /Pay \$([\d.]+) and change plan/.exec(page)?.[1]
    const inputs = page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)
    const fields = Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value]))
    const answer = await fetch(`${url}/plan`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^http:\/\/localhost:3000\/purchases\?portal=\d+$/),
    ])
    const [latest] = (await sandbox.stripe.invoices.list({ customer, limit: 1 })).data
    expect(((latest?.amount_paid ?? 0) / 100).toFixed(2)).toBe(quoted)
    await side.billing.sync(userId, testContext(`after ${userId}`))
    expect(await side.typesOf(userId)).toContain('PlanChanged')
    expect(await changeTo(userId, 'annual')).toEqual({ obstacle: 'You already have this plan.' })
  })

  it.each([
    ['set to end', { cancel_at_period_end: true }, /set to end\. Keep it first/],
    ['paused', { pause_collection: { behavior: 'void' as const } }, /is paused/],
  ])('is refused with a reason while the plan is %s', async (_what, params, reason) => {
    const { userId, subscription } = await customerWithPlan()
    await sandbox.stripe.subscriptions.update(subscription.id, params)
    await side.billing.sync(userId, testContext(`obstacle of ${userId}`))
    expect(await changeTo(userId, 'annual')).toEqual({ obstacle: expect.stringMatching(reason) })
  })

  it('is refused while another change is scheduled, with the way to drop that change', async () => {
    const { userId, subscription } = await customerWithPlan()
    const { subscriptionSchedules } = sandbox.stripe
    const schedule = await subscriptionSchedules.create({ from_subscription: subscription.id })
    const [phase] = schedule.phases
    await subscriptionSchedules.update(schedule.id, {
      phases: [
        {
          items: [{ price: sandboxPriceIdOf('monthly'), quantity: 1 }],
          start_date: phase?.start_date ?? 0,
          end_date: phase?.end_date ?? 0,
        },
        { items: [{ price: sandboxPriceIdOf('six-month'), quantity: 1 }] },
      ],
    })
    await side.billing.sync(userId, testContext(`scheduled change of ${userId}`))
    expect(await changeTo(userId, 'annual')).toEqual({
      obstacle:
        'A change of your plan is scheduled already. Drop it with Manage Plan first, then choose another plan.',
    })
  })

  it('is refused for the subscription of another customer, and without one', async () => {
    const [mine, other] = [await customerWithPlan(), await customerWithPlan()]
    expect(await changeTo(mine.userId, 'annual', other.subscription.id)).toBeNull()
    await sandbox.stripe.subscriptions.cancel(mine.subscription.id)
    await side.billing.sync(mine.userId, testContext(`end of ${mine.userId}`))
    expect(await changeTo(mine.userId, 'annual', mine.subscription.id)).toBe('ended')
    expect(await changeTo(mine.userId, 'annual')).toBeNull()
  })
})
