import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { freePort } from '../support/machine/free-port.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres/database.ts'
import { createClient, payAt, planDetails } from '../support/product/client.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'
import {
  startTestSandbox,
  until,
  webhookSecret,
  type TestSandbox,
} from '../support/product/sandbox.ts'

/*
 * No customer pays twice: two processes of the product on one database, with one sandbox whose
 * webhooks, answers and clock fail.
 */

let database: TestDatabase
let sandbox: TestSandbox
let first: RunningProduct
let second: RunningProduct
let startSecond: () => Promise<RunningProduct>
let proxy: Awaited<ReturnType<typeof startProxy>>

beforeAll(async () => {
  database = await createTestDatabase()
  const port = await freePort()
  sandbox = await startTestSandbox({ webhookUrl: `http://127.0.0.1:${port}/api/stripe/webhook` })
  const env = {
    DATABASE_URL: database.connectionString,
    SMTP_URL: `smtp://127.0.0.1:${sandbox.smtpPort}`,
    SANDBOX_URL: sandbox.url,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    SESSION_SECRET: 's'.repeat(32),
    MASTER_KEY: 'ab'.repeat(32),
    EMAIL_HMAC_KEY: 'cd'.repeat(32),
    AUDIT_KEY: 'ef'.repeat(32),
  }
  first = await startProduct({ env: { ...env, PORT: String(port) } })
  proxy = await startProxy(sandbox.url)
  startSecond = () => startProduct({ env: { ...env, SANDBOX_URL: proxy.url, ROLE: 'api' } })
  second = await startSecond()
}, 120_000)
afterEach(() => sandbox?.post('/faults', {}))
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop()])
  await proxy?.close()
  await sandbox?.close()
  await database?.drop()
}, 60_000)
jest.setTimeout(120_000)

/** Forwards to the sandbox. `holdSession` stops the next call that opens a checkout session. */
async function startProxy(target: string) {
  let hold: { readonly isForwarded: boolean; readonly reached: () => void } | null = null
  const server = createServer((request, response) => {
    const held = hold
    const { method, url, headers } = request
    const isHeld = held !== null && method === 'POST' && url === '/v1/checkout/sessions'
    if (isHeld) hold = null
    if (isHeld && !held.isForwarded) return held.reached()
    const forwarded = send(`${target}${url}`, { method, headers }, (answer) => {
      if (isHeld) return held.reached()
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    request.pipe(forwarded)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /**
     * Resolves when the call arrives, or when the sandbox has answered it. No answer is forwarded.
     */
    holdSession: (isForwarded: boolean) =>
      new Promise<void>((reached) => {
        hold = { isForwarded, reached }
      }),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const portOf = (product: RunningProduct) => new URL(product.url).port

let count = 0
/** A customer who is signed in at both processes. */
async function newCustomer() {
  const client = createClient({ url: first.url, sandboxUrl: sandbox.url })
  const email = `buyer${(count += 1)}@example.com`
  const userId = await client.signUp(email)
  /** Clicks Subscribe Now at a process. */
  const click = async (product = first, priceId = 'price_sandbox_monthly') => {
    const response = await fetch(`${product.url}/api/create-checkout-session`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-requested-with': 'fetch',
        // The name of a cookie contains the port.
        cookie: client.cookieHeader().replaceAll(`-${portOf(first)}=`, `-${portOf(product)}=`),
      },
      body: JSON.stringify({ email, priceId, planDetails }),
    })
    const body = (await response.json()) as { url?: string; error?: string }
    return { status: response.status, url: body.url, error: body.error }
  }
  return {
    client,
    email,
    userId,
    click,
    /** Clicks at both processes at the same time. */
    clicks: (total: number) =>
      Promise.all(Array.from({ length: total }, (_, n) => click(n % 2 === 0 ? first : second))),
    owned: async () => {
      const { stripe } = sandbox
      const customers = await stripe.customers.list({ email })
      const lists = await Promise.all(
        customers.data.map(async ({ id: customer }) => ({
          subscriptions: await stripe.subscriptions.list({ customer, status: 'all' }),
          charges: await stripe.charges.list({ customer }),
        })),
      )
      return {
        subscriptions: lists.flatMap(({ subscriptions }) => subscriptions.data),
        charges: lists.flatMap(({ charges }) => charges.data.filter(({ paid }) => paid)),
      }
    },
  }
}
type Customer = Awaited<ReturnType<typeof newCustomer>>

async function expectOnePurchase(customer: Customer): Promise<void> {
  const { subscriptions, charges } = await customer.owned()
  expect([subscriptions.length, charges.length]).toEqual([1, 1])
  const { body } = await customer.client.get(
    `/api/payments?email=${encodeURIComponent(customer.email)}`,
  )
  expect(body).toMatchObject({
    payments: [{ amount_total: 39 }],
    activeSubscriptions: [{ status: 'active' }],
  })
}

/** Sets the sandbox's clock forward, and waits until the clock of the product follows. */
async function advanceClock(by: string): Promise<void> {
  const { body } = await sandbox.post('/clock/advance', { by })
  const isThere = async ({ url }: RunningProduct) => {
    const session = await createClient({ url, sandboxUrl: sandbox.url }).get('/api/auth/session')
    return String(session.body?.['now']) >= String(body['now'])
  }
  await until(async () => (await isThere(first)) && (await isThere(second)), 'the clock lags')
}

const subscribed = { status: 409, error: 'You already have an active subscription' }

describe('a customer whose webhooks are lost', () => {
  it('and who paid and closed the tab is refused a second checkout 25 hours later', async () => {
    await sandbox.post('/faults', { webhooks: { drop: 1 } })
    const customer = await newCustomer()
    const { url } = await customer.click()
    await payAt(String(url))
    await advanceClock('P1DT1H')
    expect(await customer.click(second)).toMatchObject(subscribed)
    expect(await customer.click(first)).toMatchObject(subscribed)
    await expectOnePurchase(customer)
  })

  it('and who did not pay gets a new page 25 hours later, and the earlier page is closed', async () => {
    await sandbox.post('/faults', { webhooks: { drop: 1 } })
    const customer = await newCustomer()
    const early = await customer.click()
    await advanceClock('P1DT1H')
    const late = await customer.click(second)
    expect(late.status).toBe(200)
    expect((await payAt(String(early.url))).status).toBe(410)
    expect((await payAt(String(late.url))).status).toBe(303)
    expect(await customer.click()).toMatchObject(subscribed)
    await expectOnePurchase(customer)
  })

  it('and whose subscription ended at the provider can buy again', async () => {
    await sandbox.post('/faults', { webhooks: { drop: 1 } })
    const customer = await newCustomer()
    await payAt(String((await customer.click()).url))
    expect(await customer.click()).toMatchObject(subscribed)
    const [subscription] = (await customer.owned()).subscriptions
    await sandbox.stripe.subscriptions.cancel(subscription?.id ?? '')
    const again = await customer.click(second)
    expect(again.status).toBe(200)
    expect((await payAt(String(again.url))).status).toBe(303)
    expect(await customer.click()).toMatchObject(subscribed)
  })
})

const allLost = { webhooks: { drop: 1 } }

describe('fifty clicks at the same time in two processes', () => {
  it.each([
    ['with all webhooks delivered', {}],
    ['with all webhooks lost', allLost],
    ['with every third call of the provider failing', { errorEvery: 3 }],
  ])('give one subscription and one charge %s', async (_name, faults) => {
    const customer = await newCustomer()
    await sandbox.post('/faults', faults)
    await payFiftyTimes(customer)
  })

  it('give one subscription and one charge with webhooks lost for 30 days', async () => {
    const customer = await newCustomer()
    await sandbox.post('/faults', allLost)
    const early = await customer.click()
    // The webhook of the page's expiry is lost, too.
    await advanceClock('P30D')
    await payFiftyTimes(customer)
    expect((await payAt(String(early.url))).status).toBe(410)
  })

  it('give one subscription and one charge with the clock two years ahead', async () => {
    const { stripe } = sandbox
    // The customers of the other tests would be charged for two years.
    for (const { id } of (await stripe.subscriptions.list({ limit: 100 })).data)
      await stripe.subscriptions.cancel(id)
    const customer = await newCustomer()
    const early = await customer.click()
    await advanceClock('P2Y')
    await payFiftyTimes(customer)
    expect((await payAt(String(early.url))).status).toBe(410)
  })
})

/** Clicks, pays each page twice at the same time, and clicks again, at both processes. */
async function payFiftyTimes(customer: Customer): Promise<void> {
  const answers = await customer.clicks(50)
  const urls = new Set(answers.flatMap(({ url }) => url ?? []))
  expect(urls.size).toBe(1)
  const failed = answers.filter(({ status }) => status !== 200)
  // The processes send other return addresses under the same idempotency key. That is no refusal.
  for (const { error } of failed) expect(error).toMatch(/Nothing was charged/)

  await Promise.all([...urls].flatMap((url) => [payAt(url), payAt(url)]))
  const late = await customer.clicks(10)
  expect(late.flatMap(({ url }) => url ?? [])).toEqual([])
  expect(late).toContainEqual(expect.objectContaining(subscribed))
  await sandbox.post('/faults', {})
  expect(await customer.click()).toMatchObject(subscribed)
  await expectOnePurchase(customer)
}

describe('kill -9 of a process that has reserved a checkout', () => {
  it.each([
    ['before', false],
    ['after', true],
  ])(
    '%s the provider opened the session gives one page at the next click',
    async (_when, isOpened) => {
      const customer = await newCustomer()
      const held = proxy.holdSession(isOpened)
      const cut = customer.click(second).catch(() => 'cut off')
      await held
      await second.stop('SIGKILL')
      expect(await cut).toBe('cut off')
      await second.stop()
      second = await startSecond()

      const { url } = await customer.click(second)
      expect((await customer.click(first)).url).toBe(url)
      const [owner] = (await sandbox.stripe.customers.list({ email: customer.email })).data
      const sessions = await sandbox.stripe.checkout.sessions.list({ customer: owner?.id ?? '' })
      expect(sessions.data.map((session) => session.url)).toEqual([url])
      expect((await payAt(String(url))).status).toBe(303)
      expect(await customer.click()).toMatchObject(subscribed)
      await expectOnePurchase(customer)
    },
  )
})

describe('a checkout that the provider refuses', () => {
  const archive = (active: boolean) =>
    sandbox.stripe.prices.update('price_sandbox_monthly', { active: !active })

  it('because the price is archived fails with the specified text, and succeeds once the price is active', async () => {
    const customer = await newCustomer()
    try {
      await archive(true)
      for (const process of [first, second])
        expect(await customer.click(process)).toMatchObject({
          status: 502,
          error: 'Failed to create checkout session',
        })
      const annual = await customer.click(first, 'price_sandbox_annual')
      expect(annual.status).toBe(200)
    } finally {
      await archive(false)
    }
    const { url } = await customer.click(second)
    expect((await payAt(String(url))).status).toBe(303)
    expect(await customer.click()).toMatchObject(subscribed)
    await expectOnePurchase(customer)
  })

  it('because the customer was deleted there is opened for a new customer', async () => {
    const customer = await newCustomer()
    await payAt(String((await customer.click()).url))
    expect(await customer.click()).toMatchObject(subscribed)
    const [old] = (await sandbox.stripe.customers.list({ email: customer.email })).data
    await sandbox.stripe.customers.del(old?.id ?? '')
    const again = await customer.clicks(10)
    expect([...new Set(again.map(({ status, url }) => `${status} ${url}`))]).toHaveLength(1)
    expect((await payAt(String(again[0]?.url))).status).toBe(303)
    expect(await customer.click()).toMatchObject(subscribed)
    await expectOnePurchaseOfNewCustomer(customer)
  })
})

/** The payments of the deleted customer stay in the account's list. */
async function expectOnePurchaseOfNewCustomer(customer: Customer): Promise<void> {
  const { subscriptions, charges } = await customer.owned()
  expect([subscriptions.length, charges.length]).toEqual([1, 1])
  const { body } = await customer.client.get(
    `/api/payments?email=${encodeURIComponent(customer.email)}`,
  )
  expect(body).toMatchObject({
    payments: [{ amount_total: 39 }, { amount_total: 39 }],
    activeSubscriptions: [{ status: 'active' }],
  })
}
