import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals'
import { subscriptionsResponse } from '#contracts/purchases'
import type { EventStore } from '#services/event-store/event-store'
import { openEventLog } from '#services/start/open-event-log'
import { freePort } from '../support/machine/free-port.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres/database.ts'
import { createClient, payAt } from '../support/product/client.ts'
import { inboxOf } from '../support/product/inbox.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'
import { productSettings } from '../support/product/product-settings.ts'
import { startTestSandbox, type TestSandbox } from '../support/product/sandbox.ts'
import { until } from '../support/machine/until.ts'

/*
 * An administrator blocks a customer: two processes of the product on one database, with one
 * sandbox. The processes call the sandbox through a proxy, which fails or holds calls of Stripe.
 */

let database: TestDatabase
let store: EventStore
let sandbox: TestSandbox
let proxy: Awaited<ReturnType<typeof startProxy>>
let first: RunningProduct
let second: RunningProduct
let start: () => Promise<void>
let admin: ReturnType<typeof createClient>

beforeAll(async () => {
  database = await createTestDatabase()
  const port = await freePort()
  sandbox = await startTestSandbox({ webhookUrl: `http://127.0.0.1:${port}/api/stripe/webhook` })
  proxy = await startProxy(sandbox.url)
  const env = { ...productSettings(database, sandbox), SANDBOX_URL: proxy.url }
  start = async () => {
    first = await startProduct({ env: { ...env, PORT: String(port) } })
    second = await startProduct({ env: { ...env, ROLE: 'api' } })
    admin = createClient({ url: first.url, sandboxUrl: sandbox.url })
    await admin.post('/api/admin/login', { password: first.adminPassword })
  }
  await start()
  const { eventStoreUrl = null } = first
  const { connectionString, pool } = database
  ;({ store } = await openEventLog({ eventStoreUrl, connectionString, pool, print: () => {} }))
}, 120_000)
beforeEach(() => proxy.reset())
afterEach(() => proxy.reset())
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop()])
  await store?.close()
  await proxy?.close()
  await sandbox?.close()
  await database?.drop()
}, 60_000)
jest.setTimeout(120_000)

/** Forwards to the sandbox. Records the calls of Stripe's API that it forwarded. */
async function startProxy(target: string) {
  let isAway = false
  let hold: {
    readonly path: string
    readonly reached: () => void
    readonly released: Promise<void>
  } | null = null
  const calls: string[] = []
  const server = createServer((request, response) => void answer(request, response)).listen(
    0,
    '127.0.0.1',
  )
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '', headers } = request
    const isStripe = url.startsWith('/v1/')
    if (isStripe && isAway) {
      request.resume()
      const error = { type: 'api_error', message: 'The provider is away in this test.' }
      response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error }))
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (hold !== null && method === 'POST' && url === hold.path) {
      const held = hold
      hold = null
      held.reached()
      await held.released
    }
    if (isStripe) calls.push(`${method} ${url.split('?')[0]}`)
    const forwarded = send(`${target}${url}`, { method, headers }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers)
      received.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    forwarded.end(Buffer.concat(chunks))
  }
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    /** Answers every call of Stripe with 500, and the sandbox does not receive it. */
    goAway: () => {
      isAway = true
    },
    reset: () => {
      isAway = false
      hold = null
    },
    /** Stops the next call that opens a session of the checkout or the portal, until released. */
    holdSession: (path = '/v1/checkout/sessions') => {
      let release: () => void = () => undefined
      const released = new Promise<void>((resolve) => (release = resolve))
      const reached = new Promise<void>((resolve) => (hold = { path, reached: resolve, released }))
      return { reached, release: () => release() }
    },
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
  const email = `buyer${(count += 1)}@example.com`
  const here = createClient({ url: first.url, sandboxUrl: sandbox.url })
  const userId = await here.signUp(email)
  const cookie = () =>
    // The name of a cookie contains the port.
    here.cookieHeader().replaceAll(`-${portOf(first)}=`, `-${portOf(second)}=`)
  const there = createClient({ url: second.url, sandboxUrl: sandbox.url })
  const atSecond = {
    get: (path: string) => there.send('GET', path, undefined, { cookie: cookie() }),
    createCheckoutSession: () => there.createCheckoutSession(email, { cookie: cookie() }),
  }
  const buyAt = async (
    click: typeof here.createCheckoutSession | typeof atSecond.createCheckoutSession,
  ) => {
    const { status, body } = await click(email)
    return { status, url: body?.['url'] as string | undefined, error: body?.['error'] }
  }
  return {
    email,
    userId,
    client: here,
    atSecond,
    click: (n = 0) =>
      buyAt(n % 2 === 0 ? here.createCheckoutSession : atSecond.createCheckoutSession),
    async subscribe() {
      const { url } = await this.click()
      expect((await payAt(String(url))).status).toBe(303)
      await here.post('/api/billing/sync')
    },
    openPortal: (action: string) =>
      here.post('/api/create-customer-portal-session', { email, returnUrl: '/purchases', action }),
    async signInAgain() {
      await here.post('/api/auth/request-otp', { email })
      const otp = await inboxOf({ sandboxUrl: sandbox.url }, email).code()
      return here.post('/api/auth/verify-otp', { userId, otp })
    },
    /** The subscriptions and sessions at the provider. */
    async atProvider() {
      const { data } = await sandbox.stripe.customers.list({ email })
      const lists = await Promise.all(
        data.map(async ({ id: customer }) => ({
          subscriptions: await sandbox.stripe.subscriptions.list({ customer, status: 'all' }),
          sessions: await sandbox.stripe.checkout.sessions.list({ customer, limit: 100 }),
        })),
      )
      return {
        subscriptions: lists.flatMap(({ subscriptions }) => subscriptions.data),
        sessions: lists.flatMap(({ sessions }) => sessions.data.map(({ status }) => status)),
      }
    },
    /** The types of events in the billing stream, and why a subscription ended. */
    async events() {
      const events = (await store.readStream(`billing-${userId}`)).filter(
        // A webhook can report the card of a payment at any time after the payment.
        ({ type }) => type !== 'PaymentMethodChanged' && type !== 'BillingDetailsChanged',
      )
      return events.map(({ type, data: { why } }) =>
        typeof why === 'string' ? `${type} ${why}` : type,
      )
    },
  }
}
type Customer = Awaited<ReturnType<typeof newCustomer>>

const toggle = (userId: string, headers?: Record<string, string>) =>
  admin.send('POST', `/api/admin/users/${userId}/toggle-block`, undefined, {
    'content-type': 'application/json',
    ...headers,
  })
const isCanceledAtProvider = async (customer: Customer) =>
  (await customer.atProvider()).subscriptions.every(({ status }) => status === 'canceled')
const refusedForBlock = { status: 403, error: 'Your account is blocked. Please contact support.' }
const waitingEffects = async () => {
  const answer = (await (await fetch(`${first.url}/readyz`)).json()) as {
    outbox: { waiting: number; failing: number; oldestSeconds: number }
  }
  return answer.outbox
}
const untilNoneWaits = () =>
  until(async () => (await waitingEffects()).waiting === 0, 'effects still wait')

describe('blocking a customer while the provider fails', () => {
  it('succeeds, ends sessions and plans at once, and after kill -9 cancels once at the provider', async () => {
    const customer = await newCustomer()
    await customer.subscribe()
    expect((await customer.atSecond.get('/api/auth/session')).body).toMatchObject({
      userId: customer.userId,
    })

    proxy.goAway()
    expect(await toggle(customer.userId)).toMatchObject({
      status: 200,
      body: {
        blocked: true,
        message: 'User blocked successfully. All active plans of the user have ended.',
      },
    })
    for (const session of [customer.client, customer.atSecond])
      expect((await session.get('/api/auth/session')).body).toMatchObject({ userId: null })
    expect((await customer.events()).at(-1)).toBe('SubscriptionEnded blocked')
    const users = `/api/admin/users?search=${customer.email}&status=blocked`
    expect((await admin.get(users)).body).toMatchObject({
      items: [{ user_id: customer.userId, blocked: true, active_plans: 0 }],
    })
    await until(
      async () =>
        (
          await database.pool.query(
            `SELECT 1 FROM app.outbox WHERE stream = $1 AND last_error LIKE '%The provider is away%'`,
            [`billing-${customer.userId}`],
          )
        ).rows.length === 1,
      'no cancellation has failed',
    )
    expect((await waitingEffects()).waiting).toBeGreaterThan(0)
    await Promise.all([first.stop('SIGKILL'), second.stop('SIGKILL')])
    expect(await isCanceledAtProvider(customer)).toBe(false)

    proxy.reset()
    proxy.calls.length = 0
    await start()
    await untilNoneWaits()
    expect(await isCanceledAtProvider(customer)).toBe(true)
    expect(proxy.calls.filter((call) => call.startsWith('DELETE'))).toHaveLength(1)

    // A blocked customer signs in and reads.
    expect((await customer.signInAgain()).body).toMatchObject({ isVerified: true })
    expect(
      (await customer.client.get(`/api/subscriptions?email=${customer.email}`)).body,
    ).toMatchObject([{ status: 'canceled' }])
    await customer.client.post('/api/billing/sync')
    expect(await customer.click()).toMatchObject(refusedForBlock)
    const portal = await customer.openPortal('payment_method')
    expect({ status: portal.status, ...portal.body }).toEqual(refusedForBlock)
    expect((await customer.events()).filter((type) => type.startsWith('Subscription'))).toEqual([
      'SubscriptionStarted',
      'SubscriptionEnded blocked',
    ])

    expect((await toggle(customer.userId)).body).toEqual({
      blocked: false,
      message: 'User unblocked successfully. The user can purchase plans again.',
    })
    await customer.subscribe()
    expect((await customer.events()).at(-1)).toBe('PaymentSucceeded')
    expect(await isCanceledAtProvider(customer)).toBe(false)
  })

  it('closes the open checkout as soon as the provider answers', async () => {
    const customer = await newCustomer()
    const { url } = await customer.click()
    proxy.goAway()
    expect((await toggle(customer.userId)).status).toBe(200)
    expect((await customer.atProvider()).sessions).toEqual(['open'])
    proxy.reset()
    await untilNoneWaits()
    expect((await customer.atProvider()).sessions).toEqual(['expired'])
    expect((await payAt(String(url))).status).toBe(410)
    expect((await customer.events()).at(-1)).toBe('CheckoutExpired')
  })

  it('records, ends and cancels a subscription that is paid before the checkout is closed', async () => {
    const customer = await newCustomer()
    const { url } = await customer.click()
    proxy.goAway()
    expect((await toggle(customer.userId)).status).toBe(200)
    expect((await payAt(String(url))).status).toBe(303)
    proxy.reset()
    await untilNoneWaits()
    await until(() => isCanceledAtProvider(customer), 'the subscription is not canceled')
    expect((await customer.events()).slice(-4)).toEqual([
      'CheckoutCompleted',
      'SubscriptionStarted',
      'PaymentSucceeded',
      'SubscriptionEnded blocked',
    ])
    expect(first.output() + second.output()).toContain(
      'A payment of a blocked or erased account was recorded. Check it at the payment provider and refund it.',
    )
  })
})

describe('blocking a customer', () => {
  it('closes the open checkout before it answers', async () => {
    const customer = await newCustomer()
    const { url } = await customer.click()
    expect((await toggle(customer.userId)).status).toBe(200)
    expect((await customer.atProvider()).sessions).toEqual(['expired'])
    expect((await payAt(String(url))).status).toBe(410)
  })

  it('while a checkout is opened gives the customer no page', async () => {
    const customer = await newCustomer()
    const held = proxy.holdSession()
    const click = customer.click(1)
    await held.reached
    expect((await toggle(customer.userId)).status).toBe(200)
    held.release()
    expect(await click).toMatchObject(refusedForBlock)
    expect((await customer.atProvider()).sessions).toEqual(['expired'])
  })

  it('refuses every action of the portal, and the link to it', async () => {
    const customer = await newCustomer()
    await customer.subscribe()
    for (const action of ['manage', 'cancel', 'update', 'payment_method'])
      expect((await customer.openPortal(action)).status).toBe(200)
    const listed = await customer.client.get(`/api/subscriptions?email=${customer.email}`)
    const [subscription] = subscriptionsResponse.parse(listed.body)
    await toggle(customer.userId)
    await customer.signInAgain()
    proxy.calls.length = 0
    for (const action of ['manage', 'cancel', 'update', 'payment_method']) {
      const { status, body } = await customer.openPortal(action)
      expect({ status, ...body }).toEqual(refusedForBlock)
    }
    const { status, body } = await customer.client.get(String(subscription?.manage_url))
    expect({ status, ...body }).toEqual(refusedForBlock)
    expect(proxy.calls).not.toContain('POST /v1/billing_portal/sessions')

    await toggle(customer.userId)
    expect((await customer.openPortal('payment_method')).status).toBe(200)
  })

  it('while the portal is opened gives the customer no page of it', async () => {
    const customer = await newCustomer()
    await customer.subscribe()
    const held = proxy.holdSession('/v1/billing_portal/sessions')
    const opening = customer.openPortal('update')
    await held.reached
    expect((await toggle(customer.userId)).status).toBe(200)
    held.release()
    const { status, body } = await opening
    expect({ status, ...body }).toEqual(refusedForBlock)
  })

  it('during twenty clicks in two processes leaves no live subscription and no open page', async () => {
    const customer = await newCustomer()
    const clickAndPay = async (n: number) => {
      const { status, url } = await customer.click(n)
      if (url !== undefined) await payAt(url)
      return status
    }
    const [statuses] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, (_, n) => clickAndPay(n))),
      toggle(customer.userId),
    ])
    // A click after the block finds no session of the customer.
    for (const status of statuses) expect([200, 401, 403, 409]).toContain(status)
    await until(async () => {
      const { subscriptions, sessions } = await customer.atProvider()
      return (
        subscriptions.every(({ status }) => status === 'canceled') && !sessions.includes('open')
      )
    }, 'the customer can still be charged')
    await untilNoneWaits()
    await customer.signInAgain()
    expect(await customer.click()).toMatchObject(refusedForBlock)
    const events = await customer.events()
    const ofType = (start: string) => events.filter((type) => type.startsWith(start)).length
    expect(ofType('SubscriptionEnded blocked')).toBe(ofType('SubscriptionStarted'))
  })

  it('twice under one Idempotency-Key blocks once, and unblocks never', async () => {
    const { userId } = await newCustomer()
    const key = { 'idempotency-key': 'block-once' }
    const both = await Promise.all([toggle(userId, key), toggle(userId, key)])
    expect(both.map(({ body }) => body?.['blocked'])).toEqual([true, true])
    expect((await toggle(userId, key)).body).toMatchObject({ blocked: true })
    const blocks = (await store.readStream(`account-${userId}`)).filter(
      ({ type }) => type === 'AccountBlocked',
    )
    expect(blocks.map(({ metadata }) => metadata)).toMatchObject([{ actor: { kind: 'admin' } }])
  })

  it('that does not exist is answered with 404', async () => {
    for (const userId of ['usr_0123456789abcdef01234567', 'somebody'])
      expect(await toggle(userId)).toMatchObject({
        status: 404,
        body: { error: 'There is no open account with this id. Refresh the list of users.' },
      })
  })
})
