import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { connectAccount, payOnAccount } from '../../support/product/connected-accounts.ts'
import {
  connectWebhookSecret,
  startReceiver,
  startTestSandbox,
  type TestSandbox,
  type WebhookReceiver,
} from '../../support/product/sandbox.ts'
import { until } from '../../support/machine/until.ts'

let database: TestDatabase
let platform: WebhookReceiver
let connect: WebhookReceiver
let sandbox: TestSandbox
beforeEach(async () => {
  database = await createTestDatabase()
  platform = await startReceiver()
  connect = await startReceiver(connectWebhookSecret)
  sandbox = await start()
})
afterEach(async () => {
  await sandbox.close()
  await connect.close()
  await platform.close()
  await database.drop()
})

const start = (
  urls: { readonly connectWebhookUrl?: string } = { connectWebhookUrl: connect.url },
) => startTestSandbox({ webhookUrl: platform.url, database, ...urls })

const ofPayment = [
  'account.updated',
  'charge.succeeded',
  'checkout.session.completed',
  'payment_intent.created',
  'payment_intent.succeeded',
]
const typesOf = ({ events }: WebhookReceiver) => events.map(({ type }) => String(type)).sort()

describe('the webhooks of connected accounts', () => {
  it('go to their own endpoint under their own secret, and name the account', async () => {
    const account = await connectAccount(sandbox.stripe)
    await payOnAccount(sandbox.stripe, account)
    await connect.received(ofPayment.length)
    await platform.received(1)
    expect(typesOf(connect)).toEqual(ofPayment)
    expect(connect.events.map((event) => event.account)).toEqual(ofPayment.map(() => account))
    expect(typesOf(platform)).toEqual(['application_fee.created'])
    expect(platform.events[0]).not.toHaveProperty('account')
  })

  it('end with the platform’s access to the account', async () => {
    const account = await connectAccount(sandbox.stripe)
    const { charge } = await payOnAccount(sandbox.stripe, account)
    const page = `${sandbox.url}/dashboard/${account}`
    const press = (address: string, action: string) =>
      fetch(address, { method: 'POST', body: new URLSearchParams({ action }) })
    await press(page, 'deauthorize')
    await connect.received(ofPayment.length + 1)
    expect(connect.events).toContainEqual(
      expect.objectContaining({
        type: 'account.application.deauthorized',
        account,
        data: { object: expect.objectContaining({ object: 'application' }) as unknown },
      }),
    )
    expect((await press(`${page}/payments/${charge.id}`, 'refund')).status).toBe(200)
    const other = await connectAccount(sandbox.stripe)
    await until(
      () => connect.events.some((event) => event.account === other),
      'the other account sent no event',
    )
    expect(connect.events).toHaveLength(ofPayment.length + 2)
  })

  it('are retried while the product has no such route, and the platform’s are sent meanwhile', async () => {
    connect.answer(404)
    const account = await connectAccount(sandbox.stripe)
    await until(() => connect.attempts() >= 2, 'there was no second attempt')
    await sandbox.stripe.customers.create({ email: 'meanwhile@example.com' })
    await platform.received(1)
    expect(connect.events).toEqual([])
    connect.answer(200)
    await connect.received(1)
    expect(connect.events[0]).toMatchObject({ type: 'account.updated', account })
  })

  it('suffer the same faults: dropped ones are only in the account’s list', async () => {
    await sandbox.post('/faults', { webhooks: { drop: 1 } })
    const stripeAccount = await connectAccount(sandbox.stripe)
    await sandbox.post('/faults', { webhooks: { duplicate: 1 } })
    await payOnAccount(sandbox.stripe, stripeAccount)
    await connect.received(8)
    expect(new Set(connect.events.map(({ id }) => id)).size).toBe(4)
    expect(typesOf(connect)).not.toContain('account.updated')
    const listed = await sandbox.stripe.events.list({ limit: 100 }, { stripeAccount })
    expect(listed.data.map(({ type }) => String(type)).sort()).toEqual(ofPayment)
  })

  it('that are pending wait for a start with an endpoint', async () => {
    connect.answer(503)
    await connectAccount(sandbox.stripe)
    await until(() => connect.attempts() >= 1, 'there was no attempt')
    await sandbox.close()
    connect.answer(200)
    sandbox = await start({})
    await sandbox.stripe.customers.create({ email: 'platform@example.com' })
    await platform.received(1)
    expect(connect.events).toEqual([])
    await sandbox.close()
    sandbox = await start()
    await connect.received(1)
    expect(typesOf(connect)).toEqual(['account.updated'])
  })
})
