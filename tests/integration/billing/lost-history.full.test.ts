import { describe, expect, it } from '@jest/globals'
import pino from 'pino'
import type Stripe from 'stripe'
import type { UserId } from '#contracts/ids'
import { sandboxPriceIdOf } from '#contracts/plans'
import { reconcileNow } from '#services/billing/reconciler/reconciler'
import { createReconcilerState } from '#services/billing/reconciler/reconciler-state'
import { systemClock } from '#services/foundation/clock'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { billingSideOfFile } from '../../support/product/billing-side-of-file.ts'

/*
 * Changes at the provider that were reverted before the product saw them. The sandbox sends no
 * webhooks: a lost webhook is not handled, a late webhook is handled by the test.
 */

const log = pino({ level: 'silent' })
const { database, sandbox, side } = await billingSideOfFile(log)
const state = createReconcilerState(database.pool, systemClock)
await state.begin()

const run = () =>
  reconcileNow(
    { ...side.events, billing: side.billing, state, clock: systemClock, log, firstPauseMs: 1 },
    { isFull: false, signal: new AbortController().signal },
  )

/** A customer whose purchase is recorded, and the subscription at the provider. */
async function buy() {
  const { userId, customer } = await side.buy()
  await run()
  const [subscription] = (await sandbox.stripe.subscriptions.list({ customer })).data
  return { userId, customer, subscription: subscription! }
}

const before = async (userId: UserId) => (await side.typesOf(userId)).length

async function cancelAndWithdraw({ id }: Stripe.Subscription) {
  await sandbox.stripe.subscriptions.update(id, { cancel_at_period_end: true })
  await sandbox.stripe.subscriptions.update(id, { cancel_at_period_end: false })
}

describe('a change that was reverted while its webhooks were lost', () => {
  it('is recorded by the reconciler: a cancellation and its withdrawal', async () => {
    const { userId, subscription } = await buy()
    const known = await before(userId)
    await cancelAndWithdraw(subscription)
    expect(await run()).toMatchObject({ facts: 2, failures: 0 })
    expect((await side.typesOf(userId)).slice(known)).toEqual([
      'CancellationScheduled',
      'CancellationWithdrawn',
    ])
    expect(await run()).toMatchObject({ facts: 0 })
  })

  it('is recorded by a late webhook, once, in whatever order the webhooks arrive', async () => {
    const { userId, customer, subscription } = await buy()
    const known = await before(userId)
    const earlier = new Set((await side.events.feed.since(null)).map(({ eventRef }) => eventRef))
    await cancelAndWithdraw(subscription)
    const late = (await side.events.feed.since(null)).filter(
      (each) => !earlier.has(each.eventRef) && each.customerRef === refOf(customer),
    )
    expect(late).toHaveLength(2)
    for (const providerEvent of [...late, ...late].reverse())
      await side.events.handle(providerEvent, 'webhook')
    expect((await side.typesOf(userId)).slice(known)).toEqual([
      'CancellationScheduled',
      'CancellationWithdrawn',
    ])
  })

  it('is recorded if only the second page of a hundred events reports it', async () => {
    const { userId, subscription } = await buy()
    const known = await before(userId)
    for (let note = 1; note <= 101; note += 1)
      await sandbox.stripe.subscriptions.update(subscription.id, { metadata: { note } })
    await cancelAndWithdraw(subscription)
    expect(await run()).toMatchObject({ facts: 2 })
    expect((await side.typesOf(userId)).slice(known)).toEqual([
      'CancellationScheduled',
      'CancellationWithdrawn',
    ])
  })

  it('can be a pause', async () => {
    const { userId, subscription } = await buy()
    const known = await before(userId)
    await sandbox.stripe.subscriptions.update(subscription.id, {
      pause_collection: { behavior: 'void' },
    })
    await sandbox.stripe.subscriptions.update(subscription.id, { pause_collection: '' })
    await run()
    expect((await side.typesOf(userId)).slice(known)).toEqual([
      'SubscriptionPaused',
      'SubscriptionResumed',
    ])
  })

  it('can be a planned plan change that was dropped', async () => {
    const { userId, subscription } = await buy()
    const known = await before(userId)
    const schedule = await sandbox.stripe.subscriptionSchedules.create({
      from_subscription: subscription.id,
    })
    const [now] = schedule.phases
    await sandbox.stripe.subscriptionSchedules.update(schedule.id, {
      phases: [
        {
          items: [{ price: sandboxPriceIdOf('monthly'), quantity: 1 }],
          start_date: now!.start_date,
          end_date: now!.end_date,
        },
        { items: [{ price: sandboxPriceIdOf('annual'), quantity: 1 }] },
      ],
    })
    await sandbox.stripe.subscriptionSchedules.release(schedule.id)
    await run()
    expect((await side.typesOf(userId)).slice(known)).toEqual([
      'PlanChangeScheduled',
      'PlanChangeDropped',
    ])
  })

  it('is recorded with what the customer changes while the history is read', async () => {
    const { userId, subscription } = await buy()
    const known = await before(userId)
    await cancelAndWithdraw(subscription)
    const newest = (await side.events.feed.since(null)).at(-1)!
    let reads = 0
    side.intercept = async (call) => {
      if (call.startsWith('GET /v1/events') && reads++ === 0)
        await sandbox.stripe.subscriptions.update(subscription.id, {
          items: [{ id: subscription.items.data[0]!.id, price: sandboxPriceIdOf('annual') }],
        })
      return null
    }
    await side.events.handle({ ...newest, changesSince: newest.created }, 'webhook')
    side.intercept = async () => null
    // All three changes can have the same second.
    expect((await side.typesOf(userId)).slice(known).sort()).toEqual([
      'CancellationScheduled',
      'CancellationWithdrawn',
      'PaymentSucceeded',
      'PlanChanged',
    ])
    expect(reads).toBeGreaterThanOrEqual(2)
    expect(await run()).toMatchObject({ facts: 0 })
  })

  it('is recorded after a run that failed for the customer', async () => {
    const { userId, customer, subscription } = await buy()
    const known = await before(userId)
    await cancelAndWithdraw(subscription)
    side.intercept = async (call) =>
      call.includes(`/v1/subscriptions?`) && call.includes(customer)
        ? Response.json({ error: { type: 'api_error', message: 'Overloaded.' } }, { status: 503 })
        : null
    expect(await run()).toMatchObject({ failures: 1 })
    side.intercept = async () => null
    // The failure is due for a retry, and a later synchronization by another path comes first.
    await sandbox.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
    await side.billing.sync(userId, {
      commandId: 'confirmation page',
      correlationId: 'test',
      actor: { kind: 'customer', id: userId },
      source: 'api',
    })
    expect((await side.typesOf(userId)).slice(known)).toEqual([
      'CancellationScheduled',
      'CancellationWithdrawn',
      'CancellationScheduled',
    ])
  })
})
