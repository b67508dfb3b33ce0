import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, expect } from '@jest/globals'
import { freePort } from '../../support/machine/free-port.ts'
import { createTestDatabase } from '../../support/postgres/database.ts'
import { createClient, payAt, planDetails } from '../../support/product/client.ts'
import { productSettings } from '../../support/product/product-settings.ts'
import { startProduct, type RunningProduct } from '../../support/product/run-product.ts'
import { startTestSandbox } from '../../support/product/sandbox.ts'
import { until } from '../../support/machine/until.ts'

/** The answer to a click of a customer who has a subscription. */
export const subscribed = { status: 409, error: 'You already have an active subscription' }

export type TwoProcesses = Awaited<ReturnType<typeof twoProcesses>>
export type Customer = Awaited<ReturnType<TwoProcesses['newCustomer']>>

/**
 * Starts two processes of the product on one database, with one sandbox whose webhooks, answers and
 * clock can fail. The second process reaches the sandbox through a proxy. Closes all of it after
 * the last test of the calling file.
 */
export async function twoProcesses() {
  const database = await createTestDatabase()
  const port = await freePort()
  const sandbox = await startTestSandbox({
    webhookUrl: `http://127.0.0.1:${port}/api/stripe/webhook`,
  })
  const proxy = await startProxy(sandbox.url)
  const env = productSettings(database, sandbox)
  const startSecond = () => startProduct({ env: { ...env, SANDBOX_URL: proxy.url, ROLE: 'api' } })
  const first = await startProduct({ env: { ...env, PORT: String(port) } })
  let second = await startSecond()

  afterEach(() => sandbox.post('/faults', {}))
  afterAll(async () => {
    await Promise.all([first.stop(), second.stop()])
    await proxy.close()
    await sandbox.close()
    await database.drop()
  }, 60_000)

  let count = 0
  /** A customer who is signed in at both processes. */
  async function newCustomer() {
    const client = createClient({ url: first.url, sandboxUrl: sandbox.url })
    const email = `buyer${(count += 1)}@example.com`
    const userId = await client.signUp(email)
    /** Clicks Subscribe Now at a process. */
    const click = async (product: RunningProduct = first, priceId = 'price_sandbox_monthly') => {
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

  return {
    sandbox,
    first,
    second: () => second,
    newCustomer,
    endFaults: () => sandbox.post('/faults', {}),
    /** The clicks of all tests come from one network. */
    forgetLimits: () => database.pool.query('DELETE FROM app.rate_limit'),
    holdSession: (isForwarded: boolean) => proxy.hold('/v1/checkout/sessions', isForwarded),
    holdRefund: (isForwarded: boolean) => proxy.hold('/v1/refunds', isForwarded),
    async restartSecond() {
      await second.stop('SIGKILL')
      second = await startSecond()
    },

    /** Sets the sandbox's clock forward, and waits until the clock of the product follows. */
    async advanceClock(by: string): Promise<void> {
      const { body } = await sandbox.post('/clock/advance', { by })
      const isThere = async ({ url }: RunningProduct) => {
        const session = await createClient({ url, sandboxUrl: sandbox.url }).get(
          '/api/auth/session',
        )
        return String(session.body?.['now']) >= String(body['now'])
      }
      await until(
        async () => (await isThere(first)) && (await isThere(second)),
        'the clock of the product lags',
      )
    },
  }
}

/** Clicks, pays each page twice at the same time, and clicks again, at both processes. */
export async function payFiftyTimes(
  customer: Customer,
  endFaults: () => Promise<unknown>,
): Promise<void> {
  const answers = await customer.clicks(50)
  const urls = new Set(answers.flatMap(({ url }) => url ?? []))
  expect(urls.size).toBe(1)
  const failed = answers.filter(({ status }) => status !== 200)
  // The processes send other return addresses under the same idempotency key. That is no refusal.
  // Fifty clicks of one session are more than its share of the class, too.
  for (const { error } of failed) expect(error).toMatch(/Nothing was charged|No change was saved/)

  await Promise.all([...urls].flatMap((url) => [payAt(url), payAt(url)]))
  const late = await customer.clicks(10)
  expect(late.flatMap(({ url }) => url ?? [])).toEqual([])
  expect(late).toContainEqual(expect.objectContaining(subscribed))
  await endFaults()
  expect(await customer.click()).toMatchObject(subscribed)
  await expectOnePurchase(customer)
}

export async function expectOnePurchase(customer: Customer): Promise<void> {
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

interface Hold {
  readonly path: string
  readonly isForwarded: boolean
  readonly reached: () => void
}

/** Forwards to the sandbox. `hold` stops the next call that creates an object there. */
async function startProxy(target: string) {
  let hold: Hold | null = null
  const server = createServer((request, response) => {
    const held = hold
    const { method, url, headers } = request
    const isHeld = held !== null && method === 'POST' && url === held.path
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
    hold: (path: string, isForwarded: boolean) =>
      new Promise<void>((reached) => {
        hold = { path, isForwarded, reached }
      }),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const portOf = (product: RunningProduct) => new URL(product.url).port
