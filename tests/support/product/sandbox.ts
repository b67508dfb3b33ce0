import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { startSandbox } from '#services/sandbox/start-sandbox'
import { createTestDatabase, type TestDatabase } from '../postgres/database.ts'
import { payAt } from './client.ts'
import { until } from '../machine/until.ts'

export const webhookSecret = 'whsec_of_the_sandbox_tests'
export const connectWebhookSecret = 'whsec_of_connected_accounts'

export interface TestSandbox {
  readonly url: string
  readonly smtpPort: number
  readonly database: TestDatabase
  /** Stripe's SDK, connected to the sandbox. */
  readonly stripe: Stripe
  post(path: string, body: object): Promise<{ status: number; body: Record<string, unknown> }>
  close(): Promise<void>
}

/**
 * Starts the sandbox in the process of the test, on free ports. Without `database` it gets a new
 * one.
 */
export async function startTestSandbox(
  options: {
    readonly webhookUrl?: string
    readonly connectWebhookUrl?: string
    readonly database?: TestDatabase
  } = {},
): Promise<TestSandbox> {
  const database = options.database ?? (await createTestDatabase())
  const sandbox = await startSandbox({
    host: '127.0.0.1',
    port: 0,
    smtpPort: 0,
    databaseUrl: database.connectionString,
    ownUrl: null,
    internalUrl: null,
    productUrl: 'http://localhost:3000',
    webhook:
      options.webhookUrl === undefined ? null : { url: options.webhookUrl, secret: webhookSecret },
    connectWebhook:
      options.connectWebhookUrl === undefined
        ? null
        : { url: options.connectWebhookUrl, secret: connectWebhookSecret },
  })
  return {
    url: sandbox.url,
    smtpPort: sandbox.smtpPort,
    database,
    stripe: stripeAt(sandbox.port),
    post: async (path, body) => {
      const response = await fetch(`${sandbox.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
    close: async () => {
      await sandbox.close()
      if (options.database === undefined) await database.drop()
    },
  }
}

export function stripeAt(port: number, key = 'sk_test_sandbox'): Stripe {
  return new Stripe(key, {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
  })
}

/** Creates a price of the monthly plan; `params` replaces fields. */
export function createPrice(stripe: Stripe, params: Partial<Stripe.PriceCreateParams>) {
  return stripe.prices.create({
    currency: 'usd',
    product: 'prod_sandbox_monthly',
    unit_amount: 3900,
    recurring: { interval: 'month' },
    ...params,
  })
}

const successUrl = 'http://localhost:3000/payment-success?session_id={CHECKOUT_SESSION_ID}'

/** Opens a checkout for one plan, as the product does. */
export async function createCheckout(
  stripe: Stripe,
  customer: string,
  price = 'price_sandbox_monthly',
) {
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price, quantity: 1 }],
    success_url: successUrl,
    cancel_url: 'http://localhost:3000/pricing',
    subscription_data: { metadata: { checkoutId: 'checkout-1' } },
  })
}

/** A new customer with a paid subscription. */
export async function subscribe(
  stripe: Stripe,
  { card, price, expiry }: { card?: string; price?: string; expiry?: string } = {},
): Promise<{ customer: string; subscription: Stripe.Subscription }> {
  const { id: customer } = await stripe.customers.create({
    email: 'dana@example.com',
    name: 'Birchwood Dental Group',
  })
  const { url, id } = await createCheckout(stripe, customer, price)
  const { status } = await payAt(url ?? '', card, expiry)
  if (status !== 303) throw new Error(`The checkout was not paid: it answered ${status}.`)
  const session = await stripe.checkout.sessions.retrieve(id, { expand: ['subscription'] })
  return { customer, subscription: session.subscription as Stripe.Subscription }
}

export interface WebhookReceiver {
  readonly url: string
  /** Every accepted delivery, verified by the SDK, in the order of arrival. */
  readonly events: Stripe.Event[]
  /** The number of deliveries, accepted or not. */
  readonly attempts: () => number
  /** Sets the status of all later answers. */
  answer(status: number): void
  /** Resolves when this many deliveries were accepted. @throws after 10 s */
  received(count: number): Promise<void>
  close(): Promise<void>
}

/** An HTTP server that receives webhooks under this secret in place of the product. */
export async function startReceiver(secret = webhookSecret): Promise<WebhookReceiver> {
  const events: Stripe.Event[] = []
  let status = 200
  let attempts = 0
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      attempts += 1
      const event = Stripe.webhooks.constructEvent(
        Buffer.concat(chunks),
        request.headers['stripe-signature'] ?? '',
        secret,
      )
      if (status === 200) events.push(event)
      response.writeHead(status).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/stripe/webhook`,
    events,
    attempts: () => attempts,
    answer: (next) => {
      status = next
    },
    async received(count) {
      await until(
        () => events.length >= count,
        () => `only ${events.length} of ${count} webhooks came`,
      )
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
