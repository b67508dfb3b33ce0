import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import express from 'express'
import pino from 'pino'
import Stripe from 'stripe'
import { planById, plans, sandboxPriceIdOf, type PlanId } from '#contracts/plans'
import { findUnstorable } from '#contracts/storable-text'
import { readModelReady } from '#projections/engine/operate/status'
import { purchases } from '#projections/purchases/read-model'
import { users } from '#projections/users/read-model'
import { createAccounts, type Accounts } from '#services/accounts/accounts'
import { createBilling, type Billing } from '#services/billing/billing-service'
import { checkoutIdOf } from '#services/billing/product-ids'
import { webhookRoute } from '#services/billing/webhooks/webhook-route'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec, type EventCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import { answerErrors } from '#services/http/error-handler'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { createPlanPrices, termsOf } from '#services/payments/plan-prices'
import { createEventFeed } from '#services/payments/stripe/event-feed'
import { stripeApi } from '#services/payments/stripe/stripe-api'
import { createStripePaymentProvider } from '#services/payments/stripe/payment-provider'
import { providerEventOf } from '#services/payments/stripe/provider-event-of'
import { createWebhookVerifier } from '#services/payments/stripe/webhook-verifier'
import { createProviderEvents } from '#services/start/provider-events'
import { createReadSide, type ReadSide } from '#services/read-side/read-side'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { payAt } from '../../support/product/client.ts'
import { startTestSandbox, webhookSecret, type TestSandbox } from '../../support/product/sandbox.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { zone } from '../../support/data/finance-values.ts'
import { oneEmailKey } from '../../support/data/one-email-key.ts'
import { until } from '../../support/machine/until.ts'

/*
 * JSON of the provider with texts that PostgreSQL cannot store. The sandbox refuses such texts. So
 * the HTTP client of the test rewrites the answers of the sandbox.
 */

let database: TestDatabase
let sandbox: TestSandbox
let store: EventStore
let codec: EventCodec
let accounts: Accounts
let billing: Billing
let readSide: ReadSide
let stopProjectors: () => Promise<void>
let server: Server
let stripe: Stripe
let rewrite: (json: string) => string = (json) => json

const log = pino({ level: 'silent' })

beforeAll(async () => {
  database = await createTestDatabase()
  sandbox = await startTestSandbox()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  codec = createCodec(createPersonalKeys(database.pool, Buffer.alloc(32, 7)))
  const commands = createCommandHandler({ store, codec, clock: systemClock, macKey })
  stripe = new Stripe('sk_test_sandbox', {
    host: '127.0.0.1',
    port: Number(new URL(sandbox.url).port),
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
    httpClient: Stripe.createFetchHttpClient(async (...request: Parameters<typeof fetch>) => {
      const answer = await fetch(...request)
      return new Response(rewrite(await answer.text()), {
        status: answer.status,
        headers: answer.headers,
      })
    }),
  })
  const prices = createPlanPrices(
    'stripe',
    Object.fromEntries(plans.map(({ id }) => [id, sandboxPriceIdOf(id)])) as Record<PlanId, string>,
  )
  const provider = createStripePaymentProvider(stripe, prices, {
    success: 'http://localhost:3000/payment-success',
    cancel: 'http://localhost:3000/payment',
    portalConfiguration: null,
  })
  accounts = createAccounts({
    commands,
    clock: systemClock,
    ids: randomIds,
    emailKeys: oneEmailKey(Buffer.alloc(32, 3)),
  })
  billing = createBilling({
    commands,
    provider,
    clock: systemClock,
    log,
    eventsHandledUntil: () => Promise.resolve(null),
  })
  readSide = createReadSide({
    connectionString: database.connectionString,
    pool: database.pool,
    store,
    codec,
    log,
    shards: 1,
    timeZone: zone('UTC'),
    onProjected: () => undefined,
  })
  stopProjectors = readSide.startProjectors()
  const verifier = createWebhookVerifier(stripe, {
    name: 'STRIPE_WEBHOOK_SECRET',
    read: providerEventOf,
    secrets: [webhookSecret],
    livemode: false,
    clock: systemClock,
  })
  const { customerLinks: links } = readSide
  const { pool } = database
  const { handle } = createProviderEvents({
    billing,
    provider,
    feed: createEventFeed(stripe),
    api: stripeApi,
    pool,
    links,
    log,
  })
  server = createServer(
    express().use(webhookRoute({ verifier, handle, log }).router).use(answerErrors(log)),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
}, 60_000)
afterEach(() => {
  rewrite = (json) => json
})
afterAll(async () => {
  server?.closeAllConnections()
  server?.close()
  await stopProjectors?.()
  await store?.close()
  await sandbox?.close()
  await database?.drop()
})

/**
 * Delivers a webhook, signed as the provider signs it, and returns the status. `event` overrides
 * fields of the JSON.
 */
async function deliver(object: object, event: object = {}): Promise<number> {
  const payload = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'invoice.paid',
    created: Math.floor(Date.now() / 1000),
    livemode: false,
    api_version: Stripe.API_VERSION,
    data: { object },
    ...event,
  })
  const response = await fetch(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/stripe/webhook`,
    {
      method: 'POST',
      body: payload,
      headers: {
        'stripe-signature': Stripe.webhooks.generateTestHeaderString({
          payload,
          secret: webhookSecret,
        }),
      },
    },
  )
  return response.status
}

describe('text of the provider that PostgreSQL cannot store', () => {
  it('is recorded with U+FFFD for each such character, and the purchase is shown', async () => {
    const context = {
      commandId: 'buy',
      correlationId: 'test',
      actor: { kind: 'customer', id: 'visitor' },
      source: 'api',
    } as const
    const {
      account: { userId, email },
    } = await accounts.findOrOpen('dana@example.com', context)
    const started = await billing.checkoutSessionFor(
      { userId, email, name: 'Birchwood', phone: null, address: null },
      checkoutIdOf(userId, 'buy'),
      termsOf(planById('monthly'), refOf(sandboxPriceIdOf('monthly'))),
      context,
    )
    if (started.kind !== 'open') throw new Error('The checkout is not open.')
    expect(await payAt(started.url)).toMatchObject({ status: 303 })
    const [customer] = (await stripe.customers.list()).data

    rewrite = (json) =>
      json
        .replaceAll(/"customer_name": *"[^"]*"/g, '"customer_name":"Dana\\u0000 Whit\\ud800lock"')
        .replaceAll(
          /"customer_address": *(null|\{[^}]*\})/g,
          '"customer_address":{"city":"Du\\u0000luth","state":"Minne\\u0000so\\udc00ta","country":"US","line1":null}',
        )
        .replaceAll(/"brand": *"visa"/g, '"brand":"vi\\u0000sa"')
    const status = await deliver(
      { object: 'invoice', id: 'in_\0', customer: customer?.id, description: 'Paid\0 \ud800' },
      { id: 'evt_\0\ud800', type: 'invoice\0.paid', api_version: '2026\0' },
    )
    expect(status).toBe(200)

    const [paid] = (await codec.decodeStream(await store.readStream(`billing-${userId}`))).filter(
      ({ type }) => type === 'PaymentSucceeded',
    )
    expect(paid).toMatchObject({
      data: {
        customerName: 'Dana\ufffd Whit\ufffdlock',
        city: 'Du\ufffdluth',
        state: 'Minne\ufffdso\ufffdta',
        paidBy: [{ kind: 'method', method: { brand: 'vi\ufffdsa' } }],
      },
      metadata: {
        correlationId: 'stripe:evt_\ufffd\ufffd',
        provider: { apiVersion: '2026\ufffd' },
      },
    })
    for await (const page of store.readAll(null)) expect(findUnstorable(page)).toBeNull()
    await until(
      async () =>
        (await readModelReady(database.pool, purchases)) &&
        (await readModelReady(database.pool, users)),
      'the read models were not built',
    )
    const payments = async () =>
      (await readSide.purchases.payments(userId, new Date()))?.payments ?? []
    await until(async () => (await payments()).length === 1, 'no payment was shown')
  })

  it('in a customer id is handled as an unknown customer, and the webhook gets 200', async () => {
    expect(await deliver({ object: 'customer', id: 'cus_\0' })).toBe(200)
    expect(await deliver({ object: 'invoice', customer: 'cus_\ud800' })).toBe(200)
    expect(await deliver({ object: 'invoice', customer: 'cus_of_somebody_else' })).toBe(200)
  })

  it('in the user id of a customer is handled as an unknown user, and the webhook gets 200', async () => {
    const { id } = await stripe.customers.create({
      email: 'rosa@example.com',
      metadata: { userId: 'usr_rosa' },
    })
    rewrite = (json) => json.replaceAll('usr_rosa', 'usr_\\u0000\\ud800')
    expect(await deliver({ object: 'customer', id })).toBe(200)
  })
})
