import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { subscriptionsResponse } from '#contracts/purchases'
import type { EventStore } from '#services/event-store/event-store'
import { openEventLog } from '#services/start/open-event-log'
import { sharedSecrets } from '../support/data/real-settings.ts'
import { freePort } from '../support/machine/free-port.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres/database.ts'
import { createClient, payAt } from '../support/product/client.ts'
import { billingInOneProcess } from '../support/product/billing-in-one-process.ts'
import { startBilling } from '../support/product/run-billing.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'
import { startTestSandbox, webhookSecret, type TestSandbox } from '../support/product/sandbox.ts'
import { until } from '../support/machine/until.ts'

const runBilling = billingInOneProcess()

/*
 * Money that moved at the provider reaches the log: after a customer was deleted there, and after
 * webhooks were lost.
 */

let database: TestDatabase
let sandbox: TestSandbox
let product: RunningProduct
let settings: Record<string, string>
let store: EventStore

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
  const { connectionString, pool } = database
  const { eventStoreUrl = null } = product
  ;({ store } = await openEventLog({ eventStoreUrl, connectionString, pool, print: () => {} }))
  // The product's own first run would take the customers of the tests. The next is 5 min later.
  await until(async () => {
    const { rows } = await database.pool.query(
      'SELECT 1 FROM app.reconciler WHERE completed_at IS NOT NULL',
    )
    return rows.length === 1
  }, 'the product has completed no reconciler run')
}, 120_000)
afterEach(() => sandbox?.post('/faults', {}))
afterAll(async () => {
  await store?.close()
  await product?.stop()
  await sandbox?.close()
  await database?.drop()
}, 60_000)
jest.setTimeout(120_000)

let count = 0
/** A signed-in customer with an open checkout. */
async function newCustomer() {
  const client = createClient({ url: product.url, sandboxUrl: sandbox.url })
  const email = `owner${(count += 1)}@example.com`
  const userId = await client.signUp(email)
  const { body } = await client.createCheckoutSession(email)
  const customer = (await sandbox.stripe.customers.list({ email })).data[0]?.id ?? ''
  return {
    userId,
    email,
    customer,
    pay: () => payAt(String(body?.['url'])),
    statuses: async () => {
      const ask = () => client.get(`/api/subscriptions?email=${encodeURIComponent(email)}`)
      // Answers 503 while the read model does not have the account.
      const answer = await until(async () => {
        const last = await ask()
        return last.status !== 503 && last
      })
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

const operatorSettings = () => ({
  ...settings,
  DATA_DIR: product.dataDir,
  EVENTSTORE_URL: product.eventStoreUrl,
})
const billing = (...args: readonly string[]) => runBilling(operatorSettings(), ...args)
const types = async (userId: string) =>
  (await store.readStream(`billing-${userId}`)).map(({ type }) => type)

describe('billing reconcile', () => {
  it('restores what dropped webhooks would have recorded', async () => {
    const reported = await newCustomer()
    await reported.pay()
    await webhooksDelivered()
    await sandbox.post('/faults', { webhooks: { drop: 1 } })
    const lost = await newCustomer()
    await lost.pay()
    await webhooksDelivered()
    expect(await lost.statuses()).toEqual([])

    const { code, stdout } = await billing('reconcile')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Reconciled 1 customer: 3 facts recorded, 0 failures.\n',
    })
    expect(await types(lost.userId)).toEqual(await types(reported.userId))
    await until(async () => String(await lost.statuses()) === 'active', 'the plan is not shown')

    const ready = await fetch(`${product.url}/readyz`)
    expect(ready.status).toBe(200)
    expect(await ready.json()).toMatchObject({ reconciler: { failures: 0 } })
  })

  it('that is killed between a synchronization and the cursor is completed by the next run', async () => {
    await sandbox.post('/faults', { webhooks: { drop: 1 } })
    const { userId, pay } = await newCustomer()
    await pay()
    const blocker = await database.pool.connect()
    try {
      await blocker.query('BEGIN; SELECT FROM app.reconciler FOR UPDATE')
      const child = startBilling(operatorSettings(), 'reconcile')
      await until(async () => {
        const { rows } = await database.pool.query(
          `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE app.reconciler SET cursor_at%'`,
        )
        return rows.length > 0
      }, 'the cursor is not written')
      child.kill('SIGKILL')
      await once(child, 'close')
    } finally {
      await blocker.query('ROLLBACK')
      blocker.release()
    }
    const recorded = await types(userId)
    expect(recorded).toContain('PaymentSucceeded')
    expect(await billing('reconcile', '--all')).toMatchObject({ code: 0 })
    expect(await types(userId)).toEqual(recorded)
  })

  it('synchronizes one customer', async () => {
    await sandbox.post('/faults', { webhooks: { drop: 1 } })
    const { userId, pay } = await newCustomer()
    await pay()
    expect(await billing('reconcile', '--customer', userId)).toMatchObject({
      code: 0,
      stdout: 'Reconciled 1 customer: 3 facts recorded, 0 failures.\n',
    })
    expect(await types(userId)).toContain('PaymentSucceeded')
  })

  it('prints the noted failures, without those of a synchronized customer', async () => {
    const { userId, customer } = await newCustomer()
    const note = `INSERT INTO app.reconciler_failure (key, failed_since, attempts, next_attempt_at, reason)
      VALUES ($1, now(), 1, now() + interval '1 hour', 'Overloaded.')`
    for (const key of [`stripe:${customer}`, 'stripe:evt_gone'])
      await database.pool.query(note, [key])
    const { code, stdout } = await billing('reconcile', '--customer', userId)
    await database.pool.query("DELETE FROM app.reconciler_failure WHERE key = 'stripe:evt_gone'")
    expect(stdout).toMatch(
      /^Reconciled 1 customer: \d facts? recorded, 0 failures\.\nevt_gone failed 1 time; the next attempt is due at .*: Overloaded\.\n$/,
    )
    expect(code).toBe(0)
  })
})

describe('billing webhooks', () => {
  it('lists and shows what arrived, and replays a webhook that was dropped', async () => {
    const arrived = await newCustomer()
    await arrived.pay()
    await webhooksDelivered()
    const list = await billing('webhooks', 'list')
    expect(list.stdout).toContain(`invoice.paid  ${arrived.userId}  synchronized`)
    expect((await billing('webhooks', 'list', '--failed')).stdout).toBe(
      'No webhook matches these options.\n',
    )

    await sandbox.post('/faults', { webhooks: { drop: 1 } })
    const lost = await newCustomer()
    await lost.pay()
    const events = await sandbox.stripe.events.list({ type: 'invoice.paid', limit: 1 })
    const id = events.data[0]?.id ?? ''
    expect(await billing('webhooks', 'show', id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`The webhook log does not have ${id}.`) as unknown,
    })
    expect(await billing('webhooks', 'replay', id)).toMatchObject({
      code: 0,
      stdout: `${id} is handled: ${lost.userId} is synchronized, 3 facts recorded.\n`,
    })
    expect((await billing('webhooks', 'show', id)).stdout).toContain('synchronized: 3 facts')
    expect(await billing('webhooks', 'replay', 'evt_of_nobody')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'The provider does not have the event evt_of_nobody.',
      ) as unknown,
    })
  })
})
