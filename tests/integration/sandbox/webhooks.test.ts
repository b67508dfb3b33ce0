import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import {
  startReceiver,
  startTestSandbox,
  subscribe,
  type TestSandbox,
  type WebhookReceiver,
} from '../../support/product/sandbox.ts'
import { until } from '../../support/machine/until.ts'

let database: TestDatabase
let receiver: WebhookReceiver
let sandbox: TestSandbox
beforeEach(async () => {
  database = await createTestDatabase()
  receiver = await startReceiver()
  sandbox = await startTestSandbox({ webhookUrl: receiver.url, database })
})
afterEach(async () => {
  await sandbox.close()
  await receiver.close()
  await database.drop()
})

const owed = async () =>
  ((await (await fetch(`${sandbox.url}/clock`)).json()) as { webhooksOwed: number }).webhooksOwed
const listed = () => sandbox.stripe.events.list({ limit: 100 })

/** The events of one subscription. */
const subscriptionEvents = [
  'charge.succeeded',
  'checkout.session.completed',
  'customer.created',
  'customer.subscription.created',
  'invoice.created',
  'invoice.finalized',
  'invoice.paid',
  'invoice.payment_succeeded',
  'invoice_payment.paid',
  'payment_intent.created',
  'payment_intent.succeeded',
  'payment_method.attached',
]
const typesOf = (events: readonly Stripe.Event[]) => events.map(({ type }) => String(type)).sort()

describe('webhooks', () => {
  it('report every event of a subscription, with a signature that the SDK verifies', async () => {
    const { subscription } = await subscribe(sandbox.stripe)
    await receiver.received(subscriptionEvents.length)
    expect(typesOf(receiver.events)).toEqual(subscriptionEvents)
    const completed = receiver.events.find(({ type }) => type === 'checkout.session.completed')
    expect(completed?.data.object).toMatchObject({
      status: 'complete',
      subscription: subscription.id,
    })
    expect(completed?.data.object).not.toHaveProperty('sandbox')
    await until(async () => (await owed()) === 0, 'webhooks are still pending')
    expect((await listed()).data.map((event) => event.pending_webhooks)).toEqual(
      subscriptionEvents.map(() => 0),
    )
  })

  it('are retried until they are accepted', async () => {
    receiver.answer(500)
    await sandbox.stripe.customers.create({ email: 'retry@example.com' })
    await until(() => receiver.attempts() >= 2, 'there was no second attempt')
    expect([receiver.events.length, await owed()]).toEqual([0, 1])
    receiver.answer(200)
    await receiver.received(1)
  })

  it('that are pending when the sandbox stops are delivered after the next start', async () => {
    receiver.answer(503)
    await subscribe(sandbox.stripe)
    await sandbox.close()
    expect(receiver.events).toEqual([])
    receiver.answer(200)
    sandbox = await startTestSandbox({ webhookUrl: receiver.url, database })
    await receiver.received(subscriptionEvents.length)
    expect(typesOf(receiver.events)).toEqual(subscriptionEvents)
  })

  it('that are dropped are not delivered, but the list of events has them', async () => {
    await sandbox.post('/faults', { webhooks: { drop: 1 } })
    await subscribe(sandbox.stripe)
    expect(typesOf((await listed()).data)).toEqual(subscriptionEvents)
    await sandbox.post('/faults', {})
    await sandbox.stripe.customers.create({ email: 'later@example.com' })
    await receiver.received(1)
    expect(receiver.events.map(({ data }) => (data.object as Stripe.Customer).email)).toEqual([
      'later@example.com',
    ])
    // The sandbox records a delivery after the answer, so the count may change later.
    await until(async () => (await owed()) === 0, 'webhooks are still pending')
  })

  it('that are duplicated arrive twice with the same id', async () => {
    await sandbox.post('/faults', { webhooks: { duplicate: 1 } })
    await sandbox.stripe.customers.create({ email: 'twice@example.com' })
    await receiver.received(2)
    expect(new Set(receiver.events.map(({ id }) => id)).size).toBe(1)
  })

  it('that are reordered all arrive, in another order', async () => {
    await sandbox.post('/faults', { webhooks: { reorder: 1 } })
    await subscribe(sandbox.stripe)
    await receiver.received(subscriptionEvents.length)
    const sent = (await listed()).data.map(({ id }) => id).reverse()
    const arrived = receiver.events.map(({ id }) => id)
    expect([...arrived].sort()).toEqual([...sent].sort())
    expect(arrived).not.toEqual(sent)
  })
})
