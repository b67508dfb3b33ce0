import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { subscriptionsResponse } from '#contracts/purchases'
import { sharedSecrets } from '../support/data/real-settings.ts'
import { freePort } from '../support/machine/free-port.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres/database.ts'
import { createClient, payAt } from '../support/product/client.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'
import {
  startTestSandbox,
  until,
  webhookSecret,
  type TestSandbox,
} from '../support/product/sandbox.ts'

/*
 * Money that moved at the provider reaches the log: after a customer was deleted there, and after
 * webhooks were lost.
 */

let database: TestDatabase
let sandbox: TestSandbox
let product: RunningProduct
let settings: Record<string, string>

beforeAll(async () => {
  database = await createTestDatabase()
  const port = await freePort()
  sandbox = await startTestSandbox({ webhookUrl: `http://127.0.0.1:${port}/api/stripe/webhook` })
  settings = {
    ...sharedSecrets,
    DATABASE_URL: database.connectionString,
    SMTP_URL: `smtp://127.0.0.1:${sandbox.smtpPort}`,
    SANDBOX_URL: sandbox.url,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    PORT: String(port),
  }
  product = await startProduct({ env: settings })
}, 120_000)
afterEach(() => sandbox?.post('/faults', {}))
afterAll(async () => {
  await product?.stop()
  await sandbox?.close()
  await database?.drop()
}, 60_000)
jest.setTimeout(60_000)

let count = 0
/** A signed-in customer with an open checkout. */
async function newCustomer() {
  const client = createClient({ url: product.url, sandboxUrl: sandbox.url })
  const email = `owner${(count += 1)}@example.com`
  const userId = await client.signUp(email)
  const { body } = await client.startCheckout(email)
  const customer = (await sandbox.stripe.customers.list({ email })).data[0]?.id ?? ''
  return {
    userId,
    email,
    customer,
    pay: () => payAt(String(body?.['url'])),
    statuses: async () => {
      const answer = await client.get(`/api/subscriptions?email=${encodeURIComponent(email)}`)
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
      return subscriptionsResponse.parse(answer.body).map(({ status }) => status)
    },
  }
}

/** The sandbox delivered or dropped every webhook. */
const webhooksDelivered = () =>
  until(async () => {
    const answer = await fetch(`${sandbox.url}/clock`)
    return ((await answer.json()) as { webhooksOwed: number }).webhooksOwed === 0
  }, 'the sandbox still owes webhooks')

describe('a customer that is deleted at the provider', () => {
  it('is no longer subscribed', async () => {
    const { customer, pay, statuses } = await newCustomer()
    await pay()
    await until(async () => String(await statuses()) === 'active', 'the payment is not shown')
    await webhooksDelivered()
    await sandbox.stripe.customers.del(customer)
    await webhooksDelivered()
    await until(async () => String(await statuses()) === 'canceled', 'the end is not shown')
    expect(await statuses()).toEqual(['canceled'])
  })
})
